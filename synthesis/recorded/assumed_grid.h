/* SPDX-License-Identifier: Apache-2.0
 *
 * A grid of ranks that the program has in mind, but made no Cartesian topology of.
 *
 * Two kinds are seen in recorded runs: communicators of which two cross, so that each rank lies in
 * one row and one column (its rank is row-major in them); and runs that were always on as many
 * ranks as a cube has. The grid becomes a group of its own, in front of all groups that the program
 * makes, so that their rules and all that is learned can ask for positions in it.
 */
#pragma once

#include "synthesis/recorded/recorded_runs.h"

/* Changes the numbers of groups of all runs, or nothing. Whether a grid was found. */
bool recorded_runs_assume_grid(struct recorded_runs *runs);
