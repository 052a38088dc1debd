/* SPDX-License-Identifier: Apache-2.0
 *
 * A rank's rows of the plate, on its device.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include <stddef.h>

/* Rows from 1 to `rows` are the rank's own; 0 and rows + 1 are copies of neighbours' rows. */
void device_start(int rows, int columns);

/* Copies the whole plate there, as it is at the beginning. */
void device_write(const float *plate);

/* One step, in three parts: the outermost own rows are computed and come into `edges` (two rows),
 * the others are computed meanwhile; then what neighbours sent (two rows) goes there. */
void device_begin_step(float *edges);
void device_wait_for_edges(void);
void device_end_step(const float *halos);

/* The largest change of the last step, over the rank's own rows. */
float device_change(void);

void device_stop(void);

#endif
