/* SPDX-License-Identifier: Apache-2.0
 *
 * BSIM_CACHE=cold: profiling as if other work had used the caches while the rank was inside MPI.
 * The first region after each MPI call finds what it needs evicted, as it does where many ranks
 * share a core: on an oversubscribed node, or in SMPI, which runs all ranks on one core and is the
 * ground truth that predictions are compared with here. By default caches are left alone, as on a
 * machine with a core per rank.
 *
 * Wrappers of MPI functions (profile_calls.c) note that one was called; the next timed region is
 * preceded by a walk through a buffer (BSIM_CACHE_MB, default 64). It goes through each 8 MiB twice
 * before the next, as the other ranks use their memory more than once in a turn: caches that
 * several cores share give what was used once to the next who comes along, and keep what they know
 * as used often. (HydroC, 125 x 125 cells, 543 MiB: a region of 1.49 ms takes 1.71 ms behind two
 * passes, 1.67 behind four, and 1.58 behind 2 GiB once.) How far: as far as the other ranks that
 * take part (profile_company.c; of BSIM_CACHE_RANKS, default 64) can have gone through the memory
 * while each computed for as long as this rank has since its last walk, and no farther than the
 * buffer is, nor than CACHES times the largest cache, if the system tells it (of one of 260 MiB,
 * shared with other guests, walks through 1 GiB left enough to make a difference to those through
 * 2). So ranks that exchange messages each microsecond leave each other most of the caches.
 *
 * A virtual machine gives back to its host what nobody has used for a while, and to have a page
 * backed again takes ten times what a page fault takes by itself (heat3d's first sweep: 24 ns a
 * cell instead of 5, in one run of five). So memory is used and given back before a region if the
 * program has taken some since the last time: what the region takes then is backed.
 */
#include "runtime/profile/profile.h"
#include "runtime/profile/profile_company.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define DEFAULT_MB 64
#define MOST_MB 4096
#define DEFAULT_RANKS 64
#define MOST_RANKS 1000000
#define LINE_BYTES 64
#define PART_BYTES ((size_t)8 << 20) /* more than a core's own caches have */
#define PASSES 2
#define BYTES_PER_S 1e10 /* that a rank goes through, about */
#define BACKED_BYTES ((size_t)256 << 20)
#define PAGE_BYTES 4096
#define CACHES 8
#define FEW_FAULTS 64 /* so many pages may be taken before it is done again */

static bool cold, due;
static long faults; /* page faults so far, when memory was last used for being backed */
static size_t size_bytes, next_byte;
static double simulated_ranks, computed_s;
static volatile char *evictor;

static long setting(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text != NULL ? strtol(text, NULL, 10) : otherwise;
}

/* Not from malloc, which may have been told to take what it gives from a pool. */
static volatile char *map_memory(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

/* Of the first processor, in bytes; 0: not known. */
static size_t largest_cache(void) {
    char path[80], unit;
    size_t largest = 0, size;
    for (int i = 0; i < 8; i++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
        FILE *file = fopen(path, "r");
        if (file == NULL)
            break;
        if (fscanf(file, "%zu%c", &size, &unit) == 2 && (unit == 'K' || unit == 'M')) {
            size <<= unit == 'K' ? 10 : 20;
            largest = size > largest ? size : largest;
        }
        fclose(file);
    }
    return largest;
}

void bsim__cache_start(void) {
    const char *wanted = getenv("BSIM_CACHE");
    long mb = setting("BSIM_CACHE_MB", DEFAULT_MB);
    long ranks = setting("BSIM_CACHE_RANKS", DEFAULT_RANKS);
    if (wanted == NULL || strcmp(wanted, "cold") != 0 || mb < 1 || mb > MOST_MB || ranks < 2 ||
        ranks > MOST_RANKS)
        return;
    size_t cache = largest_cache();
    size_bytes = (size_t)mb << 20;
    if (cache > 0 && size_bytes / CACHES > cache)
        size_bytes = CACHES * cache;
    simulated_ranks = (double)ranks;
    computed_s = INFINITY; /* the first time all of it */
    evictor = map_memory(size_bytes);
    cold = due = evictor != NULL;
}

void bsim__cache_computed(double seconds) {
    computed_s += seconds;
}

/* From next_byte on. */
static void walk(size_t lines) {
    size_t begin = next_byte;
    for (int pass = 0; pass < PASSES; pass++) {
        next_byte = begin;
        for (size_t i = 0; i < lines; i++) {
            evictor[next_byte]++;
            next_byte = (next_byte + LINE_BYTES) % size_bytes;
        }
    }
}

static long count_faults(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_minflt : 0;
}

static void have_memory_backed(void) {
    if (count_faults() - faults <= FEW_FAULTS)
        return;
    volatile char *memory = map_memory(BACKED_BYTES);
    if (memory != NULL) {
        for (size_t at = 0; at < BACKED_BYTES; at += PAGE_BYTES)
            memory[at] = 1;
        munmap((void *)memory, BACKED_BYTES);
    }
    faults = count_faults();
}

void bsim__cache_evict(void) {
    if (!cold || !due)
        return;
    double others = bsim__company_others(simulated_ranks);
    double bytes = others > 0 ? fmin(others * computed_s * BYTES_PER_S, (double)size_bytes) : 0;
    size_t lines = (size_t)bytes / LINE_BYTES, part = PART_BYTES / LINE_BYTES;
    for (; lines > part; lines -= part)
        walk(part);
    walk(lines);
    have_memory_backed();
    computed_s = 0;
    due = false;
}

bool bsim__cache_is_cold(void) {
    return cold;
}

void bsim__cache_due(void) {
    due = true;
}
