/* SPDX-License-Identifier: Apache-2.0
 *
 * How communicators are made: a rule for each, in the order in which ranks make them.
 */
#pragma once

#include "base/error.h"
#include "synthesis/learn/learned_program.h"

/* Fills in the model's rules. 0, or -1: runs make communicators in other ways. */
int group_rules_learn(struct learned_program *out, const struct recorded_runs *runs,
                      struct error *error);
