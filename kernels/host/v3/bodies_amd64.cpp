// SPDX-License-Identifier: Apache-2.0
#define PK_LANES 8
#define PK_ISA v3
#include "../bodies.h"
