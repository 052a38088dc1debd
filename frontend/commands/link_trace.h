/* SPDX-License-Identifier: Apache-2.0
 *
 * Which members of static libraries a link takes: the application's linker is asked, by the
 * recorded command once more with --trace, into a temporary directory. Whatever decides there is
 * heeded so: order, groups, --whole-archive, -u, weak symbols.
 */
#pragma once

#include "frontend/commands/compile_commands.h"

/* Fills link->members, once. They stay unknown (has_members) where the command cannot be repeated,
 * such as when objects are gone. `link` is one of commands->links. */
void link_trace(struct commands *commands, const struct link_command *link);

/* Of a link with known members: whether `object` comes out of `archive`, in which `namesakes`
 * objects have its file name. *out_known is false where the linker does not tell of the archive,
 * and where it takes some of several by one name. */
bool link_trace_takes(bool *out_known, const struct link_command *link, const char *archive,
                      const char *object, size_t namesakes);
