# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds LLVM, MLIR and lld 19 and takes over LLVM's compile flags for what
# follows. LLVM itself is one shared library here, MLIR and lld are archives
# linked by name. libMLIR.so must never be linked too: every TypeID would exist
# twice.

# find_package(MLIR) finds nothing in Debian's layout without help.
find_program(GRAPHC_LLVM_CONFIG NAMES llvm-config-19 llvm-config)
if(GRAPHC_LLVM_CONFIG)
  execute_process(COMMAND ${GRAPHC_LLVM_CONFIG} --prefix OUTPUT_VARIABLE graphc_llvm_prefix
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT CMAKE_PREFIX_PATH)
    set(CMAKE_PREFIX_PATH ${graphc_llvm_prefix})
  endif()
  if(NOT LLVM_EXTERNAL_LIT AND EXISTS ${graphc_llvm_prefix}/build/utils/lit/lit.py)
    set(LLVM_EXTERNAL_LIT ${graphc_llvm_prefix}/build/utils/lit/lit.py CACHE FILEPATH
        "The lit test runner")
  endif()
endif()

# The version file accepts 19.1 exactly or nothing, so the number is tested here.
find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL 19)
  message(FATAL_ERROR "graphc needs LLVM/MLIR 19, but found ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")
endif()
find_package(LLD REQUIRED CONFIG HINTS ${LLVM_DIR}/../lld)

find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(LLVM_LIT_ARGS "-sv --no-progress-bar")

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
set(LLVM_RUNTIME_OUTPUT_INTDIR ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
set(LLVM_LIBRARY_OUTPUT_INTDIR ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(MLIR_BINARY_DIR ${CMAKE_BINARY_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions)

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
link_directories(${LLVM_LIBRARY_DIRS})
separate_arguments(graphc_llvm_definitions NATIVE_COMMAND ${LLVM_DEFINITIONS})
add_definitions(${graphc_llvm_definitions})
