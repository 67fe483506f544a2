# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# graphc::plugin, for a library of ops, optimizers and passes that graphc and
# graph-opt of the same version load:
#
#   add_library(user MODULE User.cpp)
#   target_link_libraries(user PRIVATE graphc::plugin)
#
# It links nothing: the program that loads the library has the code.
if(TARGET graphc::plugin)
  set(graphc_plugin_FOUND TRUE)
  return()
endif()

# In Debian's layout find_package finds MLIR by the help of llvm-config only.
find_program(GRAPHC_LLVM_CONFIG NAMES llvm-config-19 llvm-config)
set(graphc_llvm_prefix)
if(GRAPHC_LLVM_CONFIG)
  execute_process(COMMAND ${GRAPHC_LLVM_CONFIG} --prefix OUTPUT_VARIABLE graphc_llvm_prefix
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
find_package(MLIR QUIET CONFIG HINTS ${graphc_llvm_prefix})
if(NOT MLIR_FOUND OR NOT LLVM_VERSION_MAJOR EQUAL 19)
  set(graphc_plugin_FOUND FALSE)
  set(graphc_NOT_FOUND_MESSAGE "graphc's component plugin needs the headers of MLIR 19 (package libmlir-19-dev)")
  return()
endif()

separate_arguments(graphc_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_library(graphc::plugin INTERFACE IMPORTED)
set_target_properties(graphc::plugin PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${graphc_plugin_include};${MLIR_INCLUDE_DIRS};${LLVM_INCLUDE_DIRS}"
  INTERFACE_COMPILE_OPTIONS "${graphc_llvm_definitions}"
  INTERFACE_COMPILE_FEATURES cxx_std_17)
set(graphc_plugin_FOUND TRUE)
