/* SPDX-License-Identifier: Apache-2.0
 *
 * What a build's environment said to compilers. capture records it as words of the commands
 * (cli/capture/stand_in.c), and what no option says as "environment".
 */
#pragma once

#include "base/arena.h"
#include "base/json.h"

#include <stdbool.h>

bool build_environment_is_recorded(const json_t *entry);

/* The words in front of a compiler that give it that of the entry: `env NAME=value`, or none. In
 * the arena; they end with NULL. */
const char *const *build_environment_read(struct arena *arena, const json_t *entry);

/* The same variables of the tool's own environment say nothing from now on. */
void build_environment_leave(void);

/* What they say now, as NAME=value; in the arena, ends with NULL. */
const char *const *build_environment_here(struct arena *arena);
