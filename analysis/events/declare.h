/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program can name: kinds of events, constants, variables.
 */
#pragma once

#include "analysis/events/events_program.h"

/* Kinds of the source, those that the program declares as input besides, START and END; constants
 * of the source and of `settings` ("NAME=VALUE", which win). -1: the script has a message. */
int declare_inputs(struct events_program *program, const struct event_source *source,
                   const char *const *settings, size_t setting_count);

/* Of the declarations, with the sizes of arrays, which are constants. */
int declare_variables(struct events_program *program);

/* The output that an expression alone is. Its parts have been checked. */
struct events_variable *declare_result(struct events_program *program,
                                       const struct syntax_rule *rule, enum event_type type,
                                       const struct syntax_shape *shape);

/* Arrays, and initial values. Which arrays are listed has to be known. */
int declare_storage(struct events_program *program);
