/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Version of these headers; model files carry their compiler's. */
#ifndef GRAPHC_VERSION_H
#define GRAPHC_VERSION_H

#define GRAPHC_VERSION_MAJOR 0
#define GRAPHC_VERSION_MINOR 1
#define GRAPHC_VERSION_PATCH 0
#define GRAPHC_VERSION_STRING "0.1.0"

#endif /* GRAPHC_VERSION_H */
