/* SPDX-License-Identifier: Apache-2.0
 *
 * What the application's link has beside the objects of its units. A program of a bundle holds the
 * units of the executable and of the project's shared libraries, so it needs what those were linked
 * with, too.
 */
#pragma once

#include "frontend/commands/compile_commands.h"

typedef VEC(const struct link_command *) link_list;

/* Appends the link and those that made what it links, each once, without archives. */
void link_arguments_links(link_list *out, const struct commands *commands,
                          const struct link_command *link);

typedef VEC(const char *) link_objects;

/* Appends the paths of objects that are made of no analysed unit: of Fortran, of an assembler, of
 * data. Each once, of the link and of what it links. */
void link_arguments_objects(link_objects *out, const struct commands *commands,
                            const struct link_command *link);

/* Such objects, libraries and options of the link, and the objects and libraries of what it links:
 * no objects of units, no libraries that hold project units, no -o, nothing that writes a file. */
void link_arguments_read(struct compile_arguments *out, struct arena *arena,
                         const struct commands *commands, const struct link_command *link);

/* Whether a recorded command makes the file (may be NULL). */
bool link_arguments_is_made_here(const struct commands *commands, const char *path);
