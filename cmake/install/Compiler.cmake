# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a program that builds and compiles models needs: the component `compiler`,
# in packages graphc. It holds none of LLVM.
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

# What a library of ops, optimizers and passes is built against, which the
# programs load (docs/extending.md): the graph dialect, with the interfaces of
# gradients, decompositions and optimizers. Its code is in the programs.
foreach(tree ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  install(DIRECTORY ${tree}/dialects/Graph/IR
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graphc-plugin/dialects/Graph COMPONENT compiler
    FILES_MATCHING PATTERN "*.h" PATTERN "*.h.inc" PATTERN "*.td" PATTERN CMakeFiles EXCLUDE)
endforeach()
install(FILES ${CMAKE_CURRENT_LIST_DIR}/graphc-plugin.cmake
  DESTINATION ${graphc_package_dir} COMPONENT compiler)
