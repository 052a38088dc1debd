/* SPDX-License-Identifier: Apache-2.0
 *
 * SimGrid's settings that are texts, such as "smpi/bcast", for which its C interface has no
 * function.
 */
#pragma once

/* "": it is not set. NULL: this is the engine, which has none. Borrowed. */
const char *config_text(const char *setting);
