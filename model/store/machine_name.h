/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of machines. They are checked also where nothing else of the store is linked in.
 */
#pragma once

#include <stdbool.h>

/* May this be a machine's name? It becomes a word of model.bsim. */
bool machine_is_name(const char *name);
