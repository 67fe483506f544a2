# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Run by cpack before it closes a Debian package: in /usr/share/doc/<package>, the
# licence in the form that policy 12.5 asks for, which names the copy that every
# Debian system has, and a changelog (12.7). Elsewhere `copyright` is the licence.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
file(READ ${CPACK_RESOURCE_FILE_LICENSE} licence)
string(REGEX MATCH "As an exception.*" exception "${licence}")
if(exception STREQUAL "")
  message(FATAL_ERROR "${CPACK_RESOURCE_FILE_LICENSE} has no exception of LLVM")
endif()
string(REGEX REPLACE "[ \n]+$" "" exception "${exception}")
string(REGEX REPLACE "\n[ \t]*\n" "\n.\n" exception "${exception}")
string(REGEX REPLACE "\n" "\n " exception "${exception}")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # Of SOURCE_DATE_EPOCH if set.

file(GLOB folders ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/doc/*)
if(NOT folders)
  message(FATAL_ERROR "no package in ${CPACK_TEMPORARY_DIRECTORY} has a folder of documentation")
endif()
foreach(folder IN LISTS folders)
  file(WRITE ${folder}/copyright "\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: graphc

Files: *
Copyright: the graphc developers
License: Apache-2.0 with LLVM exception

License: Apache-2.0 with LLVM exception
 On Debian systems the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0. This exception is added to it:
 .
 ${exception}
")
  cmake_path(GET folder FILENAME package)
  file(WRITE ${folder}/changelog "\
${package} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  execute_process(COMMAND gzip -9nf ${folder}/changelog COMMAND_ERROR_IS_FATAL ANY)
endforeach()
