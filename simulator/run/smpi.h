/* SPDX-License-Identifier: Apache-2.0
 *
 * Where SimGrid's SMPI lies.
 *
 * In: the PATH. Out: smpirun, its version, and `smpimain`, the program that smpirun starts. We
 * start smpimain ourselves: the shell script splits the application's arguments at blanks, and adds
 * two processes that hide signals. The script names smpimain with its full path; that is how it is
 * found. Not handled: a smpimain that is older than 3.26, which knows no `--`.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"

struct smpi {
    const char *smpirun, *smpimain;
    const char *library_directory; /* of libsimgrid, for LD_LIBRARY_PATH */
    const char *version;           /* "3.32" */
    /* Libraries that simulations load instead of ns-3 (runtime/preload/without_ns3.cmake); NULL:
     * none were made for this SimGrid. */
    const char *without_ns3;
};

/* Everything in *out belongs to the arena. */
int smpi_find(struct smpi *out, struct arena *arena, struct error *error);
