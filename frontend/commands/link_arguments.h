/* SPDX-License-Identifier: Apache-2.0
 *
 * What the application's link has beside its objects. A program of a bundle holds the units of the
 * executable and of the project's shared libraries, so it needs what those were linked with, too.
 */
#ifndef FRONTEND_COMMANDS_LINK_ARGUMENTS_H
#define FRONTEND_COMMANDS_LINK_ARGUMENTS_H

#include "frontend/commands/compile_commands.h"

typedef VEC(const struct link_command *) link_list;

/* Appends the link and those that made what it links, each once, without archives. */
void link_arguments_links(link_list *out, const struct commands *commands,
                          const struct link_command *link);

/* Libraries and options of the link, and the libraries of what it links: no objects, no libraries
 * that hold project units, no -o, nothing that writes a file. */
void link_arguments_read(struct compile_arguments *out, struct arena *arena,
                         const struct commands *commands, const struct link_command *link);

/* Whether a recorded command makes the file (may be NULL). */
bool link_arguments_is_made_here(const struct commands *commands, const char *path);

#endif
