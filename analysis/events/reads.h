/* SPDX-License-Identifier: Apache-2.0
 *
 * What a rule reads: which kinds of events and variables it mentions, and what has to be kept for
 * prev.
 */
#ifndef ANALYSIS_EVENTS_READS_H
#define ANALYSIS_EVENTS_READS_H

#include "analysis/events/events_program.h"

/* Fills `reads` and `mentions` of the rule, and the flags of variables and fields. */
void reads_of_rule(struct events_program *program, struct events_rule *rule);

#endif
