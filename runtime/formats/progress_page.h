/* SPDX-License-Identifier: Apache-2.0
 *
 * The file that BSIM_PROGRESS names (docs/reference/run-files.md): the runtime writes, the tool
 * reads at the same time, without locks: each member is aligned and of 8 bytes.
 */
#ifndef RUNTIME_FORMATS_PROGRESS_PAGE_H
#define RUNTIME_FORMATS_PROGRESS_PAGE_H

#include <stdint.h>

#define PROGRESS_FILE_BYTES 4096 /* a page; the struct is the part of it that is used */

struct progress_page {
    double simulated_s;
    uint64_t calls, finalized_ranks;
    double iteration, iterations; /* of the outermost loop that a rank is in; 0: not known */
};

#endif
