# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One precompiled header for all of the compiler's libraries: MLIR's core and the
# graph dialect, which cost 6 of the 7 seconds that a file takes without it.
# GRAPHC_PCH=OFF builds without, which finds files that miss an include.

option(GRAPHC_PCH "Build the compiler's libraries with a precompiled header" ON)

# A timestamp in the header would keep ccache from ever finding it again.
set(graphc_pch_options)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(graphc_pch_options "SHELL:-Xclang -fno-pch-timestamp")
endif()

if(GRAPHC_PCH)
  add_library(GraphcPch STATIC cmake/pch/pch.cpp)
  llvm_update_compile_flags(GraphcPch)
  add_dependencies(GraphcPch GraphcGraphIncGen)
  target_compile_options(GraphcPch PRIVATE ${graphc_pch_options})
  target_precompile_headers(GraphcPch PRIVATE cmake/pch/pch.h)
endif()

# Tools and unit tests may use it too.
function(graphc_use_pch name)
  if(GRAPHC_PCH)
    get_target_property(type ${name} TYPE)
    if(type STREQUAL EXECUTABLE)
      # The header was compiled with -fPIC, which -fPIE does not match.
      set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    endif()
    target_compile_options(${name} PRIVATE ${graphc_pch_options})
    target_precompile_headers(${name} REUSE_FROM GraphcPch)
  endif()
endfunction()
