/* SPDX-License-Identifier: Apache-2.0
 *
 * Which link commands make programs, by which names those are known, and what of them cannot be
 * made again from source.
 */
#pragma once

#include "frontend/commands/compile_commands.h"

/* No library, and nothing that is linked again: ld -r. */
bool executable_is_made(const struct link_command *link);

/* A bare name is the last part of the output's path; with a slash it is a path from here. Or the
 * name is that of a file which holds what was linked: a program that was renamed or installed. */
bool executable_is_named(struct arena *arena, const struct link_command *link, const char *name);

/* After its units were chosen. Refuses, with an error, what changes names in objects that are
 * linked into it (objcopy), and units of which the build replaced what they had read. */
int executable_check(const struct commands *commands, const struct link_command *link,
                     struct error *error);
