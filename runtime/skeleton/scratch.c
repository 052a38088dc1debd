/* SPDX-License-Identifier: Apache-2.0
 *
 * BSIM_SCRATCH: memory that stands in for payload that nobody looks at. One mapping for all ranks
 * of the simulation: pages come into being when SMPI copies a message there, so what it takes is
 * as much as the largest message, however many ranks there are.
 */
#include "runtime/smpi/io.h"

#include <sys/mman.h>

#define LARGEST_BYTES ((size_t)64 << 30)
#define SMALLEST_BYTES ((size_t)256 << 20)

BSIM__COMMON void *bsim__scratch __attribute__((visibility("hidden")));

/* Of the engine (engine/objects); SMPI has none, and copies what is there. */
void bsim__engine_scratch(void *begin, size_t bytes) __attribute__((weak));

static void tell_engine(const struct bsim__shared *shared, size_t size) {
    if (bsim__engine_scratch != NULL)
        bsim__engine_scratch(shared->scratch, size);
}

void *bsim__scratch_map(void);
void *bsim__scratch_map(void) {
    struct bsim__shared *shared = bsim__shared();
    for (size_t size = LARGEST_BYTES; shared->scratch == NULL && size >= SMALLEST_BYTES;
         size /= 4) {
        void *map = mmap(NULL, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        shared->scratch = map != MAP_FAILED ? map : NULL;
        if (shared->scratch != NULL)
            tell_engine(shared, size);
    }
    if (shared->scratch == NULL)
        bsim__stop("mpiskel: error: no address space for the scratch buffer; raise `ulimit -v`");
    return bsim__scratch = shared->scratch;
}

bool bsim__io_is_scratch(const void *buffer) {
    return bsim__scratch != NULL && buffer == bsim__scratch;
}

bool bsim__io_spares_disk(void) {
    return true;
}
