/* SPDX-License-Identifier: Apache-2.0
 *
 * What profiling runs spent in kept code is missing in the prediction: its interval goes up to the
 * time of which regions and MPI calls have the same share as they had in the profiling runs. The
 * lower end stays, since nothing says that there is as much kept code in this run.
 */
#pragma once

#include "model/findings/unexplained.h"
#include "simulator/report/interval.h"

/* Where hardly anything is explained the factor says no more. */
#define EXPLAINED_LEAST 1e-3

/* Nothing where it does not matter. */
void interval_widen(struct interval *interval, const struct unexplained *unexplained);
