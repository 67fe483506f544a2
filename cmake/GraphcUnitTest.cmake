# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Unit tests, one program per room, built into bin/unit/. lit runs each test
# case of theirs as its own test; a build of the runtime alone uses ctest.

find_package(GTest)
if(NOT GTest_FOUND)
  message(WARNING "GoogleTest is missing: unit tests are not built")
endif()
add_custom_target(graphc-unit-tests)

function(_graphc_unit_program target)
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/unit)
  add_dependencies(graphc-unit-tests ${target})
  set_property(GLOBAL APPEND PROPERTY GRAPHC_UNIT_PROGRAMS ${target})
endfunction()

# add_graphc_unittest(<name> <source>... [LINK_LIBS <lib>...])
#
# A GoogleTest program bin/unit/<name>Tests, for rooms of the compiler and of
# the runtime alike.
function(add_graphc_unittest name)
  if(NOT GTest_FOUND)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name}Tests ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name}Tests PRIVATE ${ARG_LINK_LIBS} GTest::gtest_main)
  _graphc_unit_program(${name}Tests)
  if(NOT GRAPHC_BUILD_COMPILER)
    include(GoogleTest)
    gtest_discover_tests(${name}Tests TEST_PREFIX ${name}/ DISCOVERY_MODE PRE_TEST)
  endif()
endfunction()

# add_graphc_ctest(<name> <source>... [LINK_LIBS <lib>...])
#
# A plain program bin/unit/<name>CTest, usually in C: exit status 0 passes, 77
# skips, anything else fails.
function(add_graphc_ctest name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name}CTest ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name}CTest PRIVATE ${ARG_LINK_LIBS})
  _graphc_unit_program(${name}CTest)
  if(NOT GRAPHC_BUILD_COMPILER)
    add_test(NAME ${name} COMMAND ${name}CTest)
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
  endif()
endfunction()
