/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a compiler is asked for OpenMP. Without that a directive means nothing.
 */
#pragma once

#include "frontend/commands/compile_commands.h"

/* The option asks gcc or clang for OpenMP. */
bool openmp_option_is_on(const char *option);

/* The command compiles with OpenMP, by any compiler's option. */
bool openmp_option_is_given(const struct compile_command *command);

/* That code is compiled for devices as well, or how; the value of -Xopenmp-target is the next word.
 */
bool openmp_option_is_for_devices(const char *option);
