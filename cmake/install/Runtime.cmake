# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a program that runs models needs: the component `runtime`, in packages
# graphc-runtime. Also the files that find both components; the compiler's own
# are in Compiler.cmake.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(graphc_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/graphc)

set_target_properties(GraphcRuntime PROPERTIES EXPORT_NAME runtime)
set_target_properties(GraphcRuntimeSupport PROPERTIES EXPORT_NAME runtime-support)
set_target_properties(GraphcRuntimeCpu PROPERTIES EXPORT_NAME runtime-cpu)
set_target_properties(GraphcData PROPERTIES EXPORT_NAME runtime-data)
install(TARGETS GraphcRuntime GraphcRuntimeSupport GraphcRuntimeCpu GraphcData graph-run
  EXPORT graphc-runtime-targets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT graphc-runtime-targets NAMESPACE graphc::
  DESTINATION ${graphc_package_dir} COMPONENT runtime)

install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/graphc
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT runtime
  PATTERN compiler.h EXCLUDE
  PATTERN trace.hpp EXCLUDE
  PATTERN trace EXCLUDE)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/graphc-config.cmake.in
  ${CMAKE_BINARY_DIR}/package/graphc-config.cmake
  INSTALL_DESTINATION ${graphc_package_dir})
# Until 1.0 the minor version may change what programs are built against.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/graphc-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/package/graphc-config.cmake
  ${CMAKE_BINARY_DIR}/package/graphc-config-version.cmake
  DESTINATION ${graphc_package_dir} COMPONENT runtime)

# graphc_install_pkg_config(<name> <component>)
#
# Installs <name>.pc, whose paths start where the file itself lies.
function(graphc_install_pkg_config name component)
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" up ${up})
  configure_file(${CMAKE_SOURCE_DIR}/cmake/install/${name}.pc.in
                 ${CMAKE_BINARY_DIR}/package/${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/package/${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${component})
  install(FILES ${CMAKE_SOURCE_DIR}/LICENSE
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component} RENAME copyright)
endfunction()
graphc_install_pkg_config(graphc-runtime runtime)
