# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Where outputs go and how everything, runtime included, is compiled and linked.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
# -O2 as the Debian libraries use; no -g, which would double the build's size.
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

find_program(GRAPHC_CCACHE ccache)
if(GRAPHC_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness ccache asks for before it caches with a precompiled header.
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros ${GRAPHC_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_C_COMPILER_LAUNCHER})
endif()

include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=lld GRAPHC_HAVE_LLD)
if(GRAPHC_HAVE_LLD)
  add_link_options(-fuse-ld=lld)
endif()

# Results must not depend on the compiler's choice to fuse a multiply and an add.
add_compile_options(-ffp-contract=off)

if(GRAPHC_SANITIZE)
  # vptr and function look for type information that the LLVM libraries lack.
  add_compile_options(-fsanitize=${GRAPHC_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${GRAPHC_SANITIZE})
  if(GRAPHC_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize=vptr,function -fno-sanitize-recover=undefined)
  endif()
endif()
