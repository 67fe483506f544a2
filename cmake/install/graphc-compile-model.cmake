# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# graphc_compile_model(<target> <model.mlir> [OUTPUT <model.so>] [ARGS <option>...]
#                      [DEPENDS <file>...])
#
# Adds <target>, built with all: runs `graphc <model.mlir> -o <model.so> <option>...`
# again whenever the model, the compiler or a file in DEPENDS (data that the model
# names) changes. OUTPUT is relative to the current build folder; by default it is
# the model's name with .so. The target's property GRAPHC_MODEL holds its path.
function(graphc_compile_model target model)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "OUTPUT" "ARGS;DEPENDS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "graphc_compile_model(${target}) expects OUTPUT, ARGS or DEPENDS, "
                        "but got '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  cmake_path(ABSOLUTE_PATH model NORMALIZE)
  if(NOT ARG_OUTPUT)
    cmake_path(GET model STEM LAST_ONLY ARG_OUTPUT)
    string(APPEND ARG_OUTPUT .so)
  endif()
  cmake_path(ABSOLUTE_PATH ARG_OUTPUT BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} NORMALIZE)
  cmake_path(GET ARG_OUTPUT PARENT_PATH folder)

  add_custom_command(OUTPUT ${ARG_OUTPUT}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND graphc::graphc ${model} -o ${ARG_OUTPUT} ${ARG_ARGS}
    DEPENDS ${model} graphc::graphc ${ARG_DEPENDS}
    COMMENT "Compiling model ${ARG_OUTPUT}"
    VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${ARG_OUTPUT})
  set_target_properties(${target} PROPERTIES GRAPHC_MODEL ${ARG_OUTPUT})
endfunction()
