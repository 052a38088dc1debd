/* SPDX-License-Identifier: Apache-2.0
 *
 * The plan of a kind of event: which rules such an event may touch, each behind those that it reads
 * from.
 */
#pragma once

#include "analysis/events/events_program.h"

/* Compiles the plans of all kinds. -1: variables depend on each other in a circle; the script has
 * a message for each. */
int event_plans_make(struct events_program *program);
