// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Owns the precompiled header that the other libraries reuse.
