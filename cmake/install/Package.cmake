# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cpack -G DEB: the packages graphc-runtime and graphc, one per component. What a
# program needs of the system is found by dpkg-shlibdeps.
set(CPACK_PACKAGE_NAME graphc)
set(CPACK_PACKAGE_VENDOR graphc)
set(CPACK_PACKAGE_CONTACT "local build <nobody@localhost>")
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/PackageMaintainer.cmake)
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/package)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/DebianDocs.cmake)
# Not zstd, which Debian 12 reads but does not accept.
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME graphc-runtime)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "pkg-config, cmake")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Runs models compiled by graphc
Static libraries, headers in C and C++, and the program graph-run.")

if(GRAPHC_BUILD_COMPILER)
  list(APPEND CPACK_COMPONENTS_ALL compiler)
  set(CPACK_DEBIAN_COMPILER_PACKAGE_NAME graphc)
  set(CPACK_DEBIAN_COMPILER_PACKAGE_DEPENDS "graphc-runtime (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_COMPILER_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/triggers)
  # The linker is for the rare link that fails in process and is repeated in a
  # child, MLIR's headers for libraries of ops and passes.
  set(CPACK_DEBIAN_COMPILER_PACKAGE_SUGGESTS "lld-19, libmlir-19-dev")
  set(CPACK_COMPONENT_COMPILER_DESCRIPTION "Compiler for whole training steps
Traces models in C++ or reads them as text, and compiles forward, loss,
backward and optimizer to one shared library.")
endif()
include(CPack)
