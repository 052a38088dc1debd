/* SPDX-License-Identifier: Apache-2.0
 *
 * The plan of a kind of event: which rules such an event may touch, each behind those that it reads
 * from.
 */
#ifndef ANALYSIS_EVENTS_PLAN_H
#define ANALYSIS_EVENTS_PLAN_H

#include "analysis/events/program.h"

/* Compiles the plans of all kinds. -1: variables depend on each other in a circle; the script has
 * a message for each. */
int plan_all(struct events_program *program);

#endif
