/* SPDX-License-Identifier: Apache-2.0
 *
 * What an older bundle learned stays, when a new one takes its place.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

/* Samples and store of the bundle in directory `old` for the new one in `directory`; its cache as
 * well where the new one makes none. The old one is left as it is. */
int takeover(struct arena *arena, const char *directory, const char *old, bool with_cache,
             struct error *error);
