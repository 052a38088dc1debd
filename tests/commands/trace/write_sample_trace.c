/* SPDX-License-Identifier: Apache-2.0
 *
 * write_sample_trace FILE RANKS ITERATIONS
 */
#include "sample_trace.h"

#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc != 4)
        return 64;
    sample_trace_write(argv[1], atoi(argv[2]), atoi(argv[3]), NULL);
    return 0;
}
