// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared library is made of archives; a target needs one source of its own.
