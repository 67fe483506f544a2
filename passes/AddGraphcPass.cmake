# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# add_graphc_pass(<Name> [<more sources>...] [LINK_LIBS <lib>...]
#                 [EXTENSION <function>] [DEPENDS <target>...])
#
# Declares the room passes/<Name>: runs tblgen on <Name>.td, builds <Name>.cpp
# and the sources given into Graphc<Name>Pass, generates its reference page, and
# registers the pass: <Name>.h must define GEN_PASS_REGISTRATION (see README.md
# here). EXTENSION names a function `void graphc::<function>(
# mlir::DialectRegistry &)` of the room, called once by registerAll(), which
# attaches external models.
function(add_graphc_pass name)
  cmake_parse_arguments(ARG "" "EXTENSION" "LINK_LIBS;DEPENDS" ${ARGN})
  set(LLVM_TARGET_DEFINITIONS ${name}.td)
  mlir_tablegen(${name}.h.inc -gen-pass-decls -name ${name})
  add_public_tablegen_target(Graphc${name}IncGen)
  add_mlir_doc(${name} ${name} passes/ -gen-pass-doc)
  add_graphc_library(Graphc${name}Pass
    ${name}.cpp
    ${ARG_UNPARSED_ARGUMENTS}
    DEPENDS Graphc${name}IncGen ${ARG_DEPENDS}
    LINK_LIBS MLIRIR MLIRPass MLIRTransformUtils ${ARG_LINK_LIBS})
  set_property(GLOBAL APPEND PROPERTY GRAPHC_PASS_LIBS Graphc${name}Pass)
  set_property(GLOBAL APPEND PROPERTY GRAPHC_PASSES ${name})
  if(ARG_EXTENSION)
    set_property(GLOBAL APPEND PROPERTY GRAPHC_PASS_EXTENSIONS ${ARG_EXTENSION})
  endif()
endfunction()
