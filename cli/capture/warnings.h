/* SPDX-License-Identifier: Apache-2.0
 *
 * What a build did that may leave something out of a skeleton.
 */
#ifndef CLI_CAPTURE_WARNINGS_H
#define CLI_CAPTURE_WARNINGS_H

#include "cli/capture/databases.h"

/* Notes on stderr. `output`: the compile database; `changed`: of restore_sources, or NULL. */
void warnings_tell(struct arena *arena, const struct databases *databases, const char *output,
                   const char *changed);

#endif
