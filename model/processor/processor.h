/* SPDX-License-Identifier: Apache-2.0
 *
 * The processor that a counted clock has (docs/reference/processor.md): what a basic block, an
 * access to memory and a call of the math library take, and the caches.
 *
 * Read by the runtime that counts (runtime/counted) and by the tool; it depends on libc only.
 */
#ifndef MODEL_PROCESSOR_PROCESSOR_H
#define MODEL_PROCESSOR_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>

#define PROCESSOR_LEVELS 4   /* of caches */
#define PROCESSOR_CALLS 64   /* functions of the math library */
#define PROCESSOR_NAME 16    /* bytes of the name of one */
#define PROCESSOR_LINE 64    /* bytes of a cache line */
#define PROCESSOR_TEXT 4096  /* bytes of a description in one line */
#define PROCESSOR_PAGE 4096  /* the first cache is indexed by the part of an address within one */
#define PROCESSOR_STREAMS 64 /* that are followed at most */

/* Times are added to that of the access; `streamed_s`: if a stream announced the line. */
struct processor_level {
    unsigned long long bytes; /* of memory: 0 */
    unsigned ways;
    double latency_ns, streamed_ns;
};

struct processor_call {
    char name[PROCESSOR_NAME];
    double ns;
};

struct processor {
    double block_ns, access_ns;
    struct processor_level levels[PROCESSOR_LEVELS + 1]; /* the last one is memory */
    unsigned level_count;                                /* of caches; 0: none is simulated */
    unsigned streams;                                    /* that the prefetcher follows */
    struct processor_call calls[PROCESSOR_CALLS];
    unsigned call_count;
};

/* What there is without a file. */
void processor_default(struct processor *out);

/* Reads a description. Returns 0; or -1 and `message`, with the file and the line. */
int processor_read(struct processor *out, const char *path, char *message, size_t size);

/* Reads what processor_text wrote; 0 or -1. */
int processor_parse(struct processor *out, const char *text);

/* The description in one line, the same for the same processor. */
void processor_text(char *out, size_t size, const struct processor *processor);

/* ns that a call of the function takes; 0: nothing is said about it. */
double processor_call_ns(const struct processor *processor, const char *name);

/* Whether accesses to memory take time. */
bool processor_has_accesses(const struct processor *processor);

#endif
