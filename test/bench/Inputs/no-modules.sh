#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A Python that finds no module: what it is asked to print is empty.
echo
