/* SPDX-License-Identifier: Apache-2.0
 *
 * Who simulates: SMPI, or the engine (engine/), which is faster and covers skeletons on networks
 * that it knows.
 *
 * `auto` takes the engine where it covers program, network and settings. What it does not cover is
 * found before the run, or by the engine itself, at its start or when a call comes that it lacks:
 * then the run starts over in SMPI. SMPI is the reference; where the engine would be wrong it is
 * not taken.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

enum engine_choice { ENGINE_SMPI, ENGINE_OWN, ENGINE_AUTO };

/* `auto`, `smpi` or `own`. */
int engine_choice_parse(enum engine_choice *out, const char *text, struct error *error);

/* Why a run of this program is not the engine's; NULL: it may be. */
const char *engine_lack_before(const char *program, bool times_computation, struct arena *arena);

/* The file in the work directory in which the engine says what it lacks; and what it has said.
 * NULL: nothing. */
const char *engine_lack_file(const char *work_directory, struct arena *arena);
const char *engine_lack_after(const char *work_directory, struct arena *arena);

/* The program that stands in for smpimain, and the directory of its libraries. */
const char *engine_program(struct arena *arena);
const char *engine_directory(struct arena *arena);
/* GLIBC_TUNABLES, for pages of 2 MiB; NULL: as they are. With many ranks memory is looked at all
 * over, and with such pages the engine took a quarter less time (docs/results/performance.md). */
const char *engine_tunables(size_t ranks, struct arena *arena);
