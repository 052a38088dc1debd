/* SPDX-License-Identifier: Apache-2.0
 *
 * The file that BSIM_GIVEN names (docs/reference/run-files.md): a head, then a row for each rank
 * and region. Written by runtime/smpi/given_log.c, read by simulator/compare/given.c.
 */
#ifndef RUNTIME_FORMATS_GIVEN_ROWS_H
#define RUNTIME_FORMATS_GIVEN_ROWS_H

#include <stdint.h>

#define GIVEN_FORMAT "mpiskel-given 2\n"

struct given_file_head {
    char format[sizeof GIVEN_FORMAT - 1];
    uint64_t count; /* of rows */
};

struct given_file_row {
    int32_t rank, region;
    uint64_t count, finalized;
    double last, sum;
};

#endif
