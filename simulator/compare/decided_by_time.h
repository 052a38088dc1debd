/* SPDX-License-Identifier: Apache-2.0
 *
 * What of a recorded call only the time decides at which messages come: it may be another in a real
 * run than in a simulation, and in each real run.
 */
#pragma once

#include <stdbool.h>

/* A poll that found nothing. */
bool is_empty_poll(const char *text);

/* What the call brings depends on which rank comes first: it fetches what others change, from a
 * window that is locked, or where a shared file pointer is. */
bool brings_what_time_decides(const char *text);

/* Takes out the status of what came from anyone, and which of several requests was complete. */
void leave_out_what_time_decides(char *text);

/* Both ask which ranks share a host. */
bool asks_for_hosts(const char *left, const char *right);

bool is_same_but_for_time(const char *left, const char *right);
