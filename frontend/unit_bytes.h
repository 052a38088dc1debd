/* SPDX-License-Identifier: Apache-2.0
 *
 * What unit_write.c and unit_read.c agree about.
 */
#ifndef FRONTEND_UNIT_BYTES_H
#define FRONTEND_UNIT_BYTES_H

/* Trees that nest deeper are parsed each time. */
#define UNIT_DEEPEST 10000

#endif
