# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# graphc_add_rooms([EXCEPT <dir>...] [LAST <dir>...])
#
# Adds every subdirectory of the current one that has a CMakeLists.txt, in
# alphabetical order. A new room is a new folder: no shared list to edit.
# EXCEPT leaves some out; LAST names those that must follow the others.
function(graphc_add_rooms)
  cmake_parse_arguments(ARG "" "" "EXCEPT;LAST" ${ARGN})
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt)
  set(rooms)
  foreach(file IN LISTS files)
    cmake_path(GET file PARENT_PATH dir)
    cmake_path(GET dir FILENAME room)
    list(APPEND rooms ${room})
  endforeach()
  list(SORT rooms)
  foreach(room IN LISTS ARG_EXCEPT ARG_LAST)
    list(REMOVE_ITEM rooms ${room})
  endforeach()
  foreach(room IN LISTS rooms ARG_LAST)
    add_subdirectory(${room})
  endforeach()
endfunction()
