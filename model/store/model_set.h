/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of models of the store, as it is named on command lines: NAME or NAME:STATISTIC, NAME being
 * that of a machine. Without a statistic it is the set that was fitted last.
 */
#pragma once

#include "model/store/store.h"

/* *out is the caller's (models_dispose). A set that the store does not have is an error that tells
 * which it has; `bundle` is the bundle's directory, for the command in that error. */
int model_set_read(struct models *out, struct store *store, const struct regions *regions,
                   const char *bundle, const char *name, struct error *error);
