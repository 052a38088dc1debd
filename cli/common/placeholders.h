/* SPDX-License-Identifier: Apache-2.0
 *
 * Placeholders in arguments of the application, which make its work grow with the ranks (weak
 * scaling): `{ranks}`, `{1024*ranks}`, `{1024*ranks^1/2}`, `{1024*ranks^0.5:128}` (rounded to a
 * multiple of 128).
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

bool placeholders_are_in(const char *argument);

/* The argument on so many ranks, from the arena; text without placeholders is as it was. */
int placeholders_replace(const char **out, struct arena *arena, const char *argument, size_t ranks,
                         struct error *error);
