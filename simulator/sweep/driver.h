/* SPDX-License-Identifier: Apache-2.0
 *
 * Which process is at work on points of a sweep, and whether it still is.
 *
 * Out: for this process what tells it from all others, also from those that had its number before.
 * A process of the same host is asked for in /proc: it is the same one if it began at the same tick
 * after the same boot. Of other hosts (the store lies on a network file system) and of other spaces
 * of process ids (containers) only the last sign of life is known.
 */
#pragma once

#include "base/arena.h"
#include "model/store/store_points.h"

/* A driver says so often that it lives, and out of sight counts as dead after so long a silence. */
#define DRIVER_BEAT_S 20.0
#define DRIVER_SILENCE_S 300.0

/* This process; the texts are in the arena. */
struct driver driver_self(struct arena *arena);

bool driver_is_alive(const struct driver *driver);
