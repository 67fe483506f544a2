# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the hand-written models that the runtime's tests load.

set(GRAPHC_TOY_MODELS_DIR ${CMAKE_BINARY_DIR}/test/models)
set(GRAPHC_TOY_MODEL_SOURCE ${CMAKE_CURRENT_LIST_DIR}/ToyModel.c)

# add_graphc_toy_model(<name> [<macro>=<value>...])
#
# Compiles ToyModel.c to <models>/<name>.so, target toy-model-<name>. It is built
# as a compiled model is: no sanitizer but the thread one, which is to watch the
# kernels too.
function(add_graphc_toy_model name)
  set(flags)
  if(GRAPHC_SANITIZE MATCHES "thread")
    list(APPEND flags -fsanitize=thread)
  else()
    list(APPEND flags -Wl,--no-undefined)
  endif()
  list(TRANSFORM ARGN PREPEND -D)
  set(model ${GRAPHC_TOY_MODELS_DIR}/${name}.so)
  add_custom_command(
    OUTPUT ${model}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${GRAPHC_TOY_MODELS_DIR}
    COMMAND ${CMAKE_C_COMPILER} -std=c11 -O2 -Wall -Wextra -ffp-contract=off -fPIC -shared
            -s -nostartfiles -fvisibility=hidden -I${CMAKE_SOURCE_DIR}/include ${flags} ${ARGN}
            ${GRAPHC_TOY_MODEL_SOURCE} -o ${model}.image
    COMMAND append-trailer ${model}.image ${model}
    DEPENDS ${GRAPHC_TOY_MODEL_SOURCE} append-trailer
            ${CMAKE_SOURCE_DIR}/include/graphc/abi/model_abi.h
    VERBATIM)
  add_custom_target(toy-model-${name} DEPENDS ${model})
endfunction()

# target_uses_toy_models(<target> <name>...)
function(target_uses_toy_models target)
  if(NOT TARGET ${target})
    return()
  endif()
  target_compile_definitions(${target} PRIVATE GRAPHC_TOY_MODELS_DIR="${GRAPHC_TOY_MODELS_DIR}")
  foreach(name IN LISTS ARGN)
    add_dependencies(${target} toy-model-${name})
  endforeach()
endfunction()
