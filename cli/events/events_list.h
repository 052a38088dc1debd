/* SPDX-License-Identifier: Apache-2.0
 *
 * What a source of events has: kinds with their fields, and constants.
 */
#ifndef CLI_EVENTS_EVENTS_LIST_H
#define CLI_EVENTS_EVENTS_LIST_H

#include "analysis/source/event_source.h"

/* On standard output. */
void events_list_print(const struct event_source *source);

#endif
