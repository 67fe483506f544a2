# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Read by cpack. A package's Maintainer is whoever answers for it, with an address
# that takes mail (Debian policy 3.3 and 5.6.2): not this project, but who builds
# packages for others. Debian's own tools take name and address from these
# variables; without them the packages are for one's own machines and say so.
if("$ENV{DEBFULLNAME}" STREQUAL "" OR "$ENV{DEBEMAIL}" STREQUAL "")
  message(STATUS "No DEBFULLNAME and DEBEMAIL: the packages name no maintainer who takes mail")
else()
  set(CPACK_PACKAGE_CONTACT "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
