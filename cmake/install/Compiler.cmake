# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a program that builds and compiles models needs: the component `compiler`,
# in packages graphc. It holds none of LLVM, nor headers to link with it.
set(programs graph-interpret graph-lsp-server graph-opt graphc)
if(TARGET graph-reduce)
  list(APPEND programs graph-reduce)
endif()
install(TARGETS graphc-shared ${programs}
  EXPORT graphc-compiler-targets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT compiler
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT compiler
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT graphc-compiler-targets NAMESPACE graphc::
  DESTINATION ${graphc_package_dir} COMPONENT compiler)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/graphc-compile-model.cmake
  DESTINATION ${graphc_package_dir} COMPONENT compiler)

install(FILES ${CMAKE_SOURCE_DIR}/include/graphc/compiler.h
              ${CMAKE_SOURCE_DIR}/include/graphc/trace.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graphc COMPONENT compiler)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/graphc/trace
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graphc COMPONENT compiler)
graphc_install_pkg_config(graphc compiler)
