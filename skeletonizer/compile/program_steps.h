/* SPDX-License-Identifier: Apache-2.0
 *
 * What makes a program of a bundle, as steps: its units' objects, the bundle id, the link.
 */
#pragma once

#include "skeletonizer/compile/compilation.h"
#include "skeletonizer/compile/later.h"
#include "skeletonizer/compile/unit_command.h"

/* Of out->program only its name is set. The words lie in the compilation's arena. */
int program_steps(struct later *out, struct compilation *c, const struct compile_build *build,
                  struct error *error);
