// SPDX-License-Identifier: Apache-2.0
#define PK_LANES 4
#define PK_ISA baseline
#include "../bodies.h"
