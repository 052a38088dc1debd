/* SPDX-License-Identifier: Apache-2.0
 *
 * The ideal network: messages take no time, so that all that ranks do in MPI is wait for each
 * other.
 */
#pragma once

#include "simulator/run/launch.h"

/* Replaces the platform of a launch. Who shares a host with whom stays as it is, collective
 * algorithms too, and from which size on a sender waits for its receiver (unless the platform is a
 * shared object). The files go to `directory`; all is from the arena. */
int ideal_prepare(struct launch *launch, const char *directory, struct arena *arena,
                  struct error *error);
