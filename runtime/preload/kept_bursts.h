/* SPDX-License-Identifier: Apache-2.0
 *
 * Sequences of bursts, kept in a file from simulation to simulation.
 */
#ifndef RUNTIME_PRELOAD_KEPT_BURSTS_H
#define RUNTIME_PRELOAD_KEPT_BURSTS_H

#include <stdint.h>

/* Of which simulations, counted from 1 on. */
enum kept_bursts { KEPT_BURSTS_ALL, KEPT_BURSTS_ODD, KEPT_BURSTS_EVEN, KEPT_BURSTS_NONE };

/* What other simulations have left. Returns NULL, or what is wrong; a file that is not there, or
 * empty, is fine. */
const char *kept_bursts_read(const char *path, uint64_t configuration, enum kept_bursts of);

/* Likewise; adds what this simulation has seen. */
const char *kept_bursts_write(const char *path, uint64_t configuration);

#endif
