# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Functions that declare the compiler's libraries and tools. Each names every
# MLIR archive it uses in LINK_LIBS; LLVM itself comes with them.

# add_graphc_library(<Name> <source>... [LINK_LIBS <lib>...] [DEPENDS <target>...])
#
# A static library of the compiler. DEPENDS names tablegen targets.
function(add_graphc_library name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS;DEPENDS" ${ARGN})
  add_mlir_library(${name} ${ARG_UNPARSED_ARGUMENTS}
    DEPENDS ${ARG_DEPENDS}
    LINK_LIBS PUBLIC ${ARG_LINK_LIBS}
    DISABLE_INSTALL
    EXCLUDE_FROM_LIBMLIR)
  graphc_use_pch(${name})
endfunction()

# add_graphc_dialect_library(<Name> <source>... [LINK_LIBS ...] [DEPENDS ...])
#
# The same for a dialect, and lists it for the tools that register every dialect.
function(add_graphc_dialect_library name)
  add_graphc_library(${name} ${ARGN})
  set_property(GLOBAL APPEND PROPERTY GRAPHC_DIALECT_LIBS ${name})
endfunction()

# add_graphc_tool(<name> <source>... [LINK_LIBS <lib>...])
#
# A program of the compiler, built into bin/. lit's substitutions find it there.
function(add_graphc_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} LLVM)
  target_link_options(${name} PRIVATE -Wl,--gc-sections)
  set_property(GLOBAL APPEND PROPERTY GRAPHC_TOOLS ${name})
endfunction()
