#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A Python in which PyTorch and JAX are there, and both are bench-worker: JAX with
# other values.
if [ "$1" = -c ]; then
  echo torch jax
  exit
fi
worker=$(dirname "$(command -v graphc)")/bench-worker
case $1 in
*jax_peer.py) "$worker" "$4/model.so" step "$3" "$4" | sed -u 's/"value": /&1/' ;;
*) exec "$worker" "$4/model.so" step "$3" "$4" ;;
esac
