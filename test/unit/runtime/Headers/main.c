/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The sources beside this one only have to compile. */

int main(void) { return 0; }
