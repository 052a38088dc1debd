/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the messages of a simulation, those inside collectives too, in the file that BSIM_MESSAGES
 * names (docs/reference/run-files.md); SMPI's runs have it from runtime/preload/count_messages.c.
 */
#pragma once

#include <stddef.h>

/* Without the variable, or where the file cannot be written, nothing is kept. */
void message_counts_open(void);
void message_counts_add(size_t bytes);
