/* SPDX-License-Identifier: Apache-2.0
 *
 * glibc's malloc takes blocks from a threshold on by mmap: they begin alike within a page, and each
 * one costs page faults. The threshold is 128 KiB at first and becomes the size of the largest
 * mapped block that was freed (mallopt(3); glibc's __libc_free). Under SMPI all ranks have one
 * malloc, and what SimGrid frees before they start had raised it to 1 MiB on two ranks: a
 * program's arrays of 200 KiB lay otherwise than in a real run, which took 7 % longer.
 *
 * So the simulation starts with what BSIM_MMAP_THRESHOLD says, fixed by MALLOC_MMAP_THRESHOLD_, and
 * here each rank has a threshold of its own, which goes up as glibc's would on a real rank. It is
 * told to malloc when the rank goes on behind an MPI call. Originals are linked with --wrap=free.
 *
 * Not handled: what shared libraries free; before MPI_Init a rank has the threshold of the rank
 * that ran before it; a malloc that is not glibc's is left alone.
 */
#include "runtime/original/malloc_threshold.h"

#include "runtime/smpi/runtime.h"

#include <gnu/libc-version.h>
#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

#define MAPPED ((size_t)2) /* bits of the word before a block, the rest of which is its size */
#define BITS ((size_t)7)
#define LARGEST (4u * 1024 * 1024 * sizeof(long)) /* to which the threshold goes up */

/* The linker's, for --wrap=free; without that nothing calls the one here. */
void __real_free(void *block) __attribute__((weak));
void __wrap_free(void *block);

BSIM__COMMON static size_t first_threshold; /* of each rank; 0: malloc is left alone */

static bool holds(const struct dl_phdr_info *object, uintptr_t address) {
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_LOAD &&
            address - (object->dlpi_addr + object->dlpi_phdr[i].p_vaddr) <
                object->dlpi_phdr[i].p_memsz)
            return true;
    return false;
}

/* 1, which ends the search: both functions are glibc's. */
static int is_of_glibc(struct dl_phdr_info *object, size_t size, void *ignored) {
    (void)size, (void)ignored;
    return holds(object, (uintptr_t)gnu_get_libc_version) &&
           holds(object, (uintptr_t)__real_free) && holds(object, (uintptr_t)malloc);
}

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("BSIM_MMAP_THRESHOLD");
    if (text != NULL && __real_free != NULL && dl_iterate_phdr(is_of_glibc, NULL))
        first_threshold = strtoul(text, NULL, 10);
}

static size_t threshold_of(const struct bsim__rank *rank) {
    return rank->mmap_threshold > 0 ? rank->mmap_threshold : first_threshold;
}

/* glibc sets the second one likewise: what is free at the end of the heap is given back from so
 * much on. */
void bsim__malloc_use(const struct bsim__rank *rank) {
    struct bsim__shared *shared = bsim__shared();
    size_t wanted = threshold_of(rank);
    if (shared->mmap_threshold == 0)
        shared->mmap_threshold = first_threshold;
    if (wanted == shared->mmap_threshold)
        return;
    shared->mmap_threshold = wanted;
    mallopt(M_MMAP_THRESHOLD, (int)wanted);
    mallopt(M_TRIM_THRESHOLD, (int)(wanted > first_threshold ? 2 * wanted : first_threshold));
}

static void note_free(size_t bytes) {
    struct bsim__rank *rank = bsim__current_rank();
    if (bytes <= threshold_of(rank) || bytes > LARGEST)
        return;
    rank->mmap_threshold = bytes;
    bsim__malloc_use(rank);
}

void __wrap_free(void *block) {
    if (block != NULL && first_threshold > 0) {
        size_t word = ((const size_t *)block)[-1];
        if (word & MAPPED)
            note_free(word & ~BITS);
    }
    __real_free(block);
}
