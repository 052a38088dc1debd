/* SPDX-License-Identifier: Apache-2.0
 *
 * The caches of a rank: set-associative, LRU, inclusive of nothing, with a prefetcher that follows
 * streams of successive lines and costs nothing but what a line takes that it announced.
 *
 * Addresses are the program's, which are others in each run. What of them counts is not: the part
 * within a page for the first cache; for the others the page's number in the order in which the
 * rank came upon them, as if an idle machine had given it page after page; and the main thread's
 * stack is counted from its end. Not handled: the TLB, caches that ranks share, writing back.
 */
#include "runtime/counted/counted.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LINES_OF_A_PAGE (PROCESSOR_PAGE / PROCESSOR_LINE)
#define FIRST_PAGES 1024

struct page {
    uint64_t page, number; /* number 0: the slot is free */
};

struct core {
    uint64_t *newest;                    /* virtual lines of the first cache, a set each */
    uint64_t *first;                     /* the older ones of each set */
    uint64_t *levels[PROCESSOR_LEVELS];  /* sets of the others: numbered lines */
    uint64_t streams[PROCESSOR_STREAMS]; /* the lines that they announce */
    unsigned next_stream;
    struct page last_page, *pages; /* a hash table */
    size_t page_count, page_slots;
};

static __thread struct core *core __attribute__((tls_model("initial-exec")));
static struct core **cores; /* by rank */
static long core_count;
static uint64_t level_sets[PROCESSOR_LEVELS];
static unsigned first_older; /* lines of a set of the first cache but the newest */
uint64_t bsim__first_mask;
bool bsim__has_caches;
static uint64_t latency_ps[PROCESSOR_LEVELS + 1], streamed_ps[PROCESSOR_LEVELS + 1];

/* Zeroed; what is not touched takes no memory. Never malloc's, whose addresses would be others. */
static void *map(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        abort(); /* the clock would go on without what caches take */
    return memory;
}

static void learn_levels(void) {
    for (unsigned i = 0; i <= bsim__processor.level_count; i++) {
        const struct processor_level *level = &bsim__processor.levels[i];
        latency_ps[i] = (uint64_t)(1000 * level->latency_ns + 0.5);
        streamed_ps[i] = (uint64_t)(1000 * level->streamed_ns + 0.5);
        if (level->ways > 0)
            level_sets[i] = level->bytes / PROCESSOR_LINE / level->ways;
    }
    bsim__first_mask = level_sets[0] - 1;
    first_older = bsim__processor.levels[0].ways - 1;
}

static struct core *new_core(void) {
    if (level_sets[0] == 0)
        learn_levels();
    struct core *new = map(sizeof *new);
    for (unsigned i = 0; i < bsim__processor.level_count; i++)
        new->levels[i] = map(bsim__processor.levels[i].bytes / PROCESSOR_LINE * sizeof(uint64_t));
    new->newest = map(level_sets[0] * sizeof(uint64_t));
    new->first = new->levels[0];
    new->page_slots = FIRST_PAGES;
    new->pages = map(new->page_slots * sizeof *new->pages);
    return new;
}

void bsim__caches_use(long rank) {
    if (rank < 0 || bsim__processor.level_count == 0)
        return;
    if (rank >= core_count) {
        long count = 2 * rank + 16;
        struct core **larger = map((size_t)count * sizeof(struct core *));
        if (cores != NULL) {
            memcpy(larger, cores, (size_t)core_count * sizeof(struct core *));
            munmap(cores, (size_t)core_count * sizeof(struct core *));
        }
        cores = larger;
        core_count = count;
    }
    if (cores[rank] == NULL)
        cores[rank] = new_core();
    core = cores[rank];
    bsim__counts.newest = core->newest;
}

/* ---- Pages ---- */

static struct page *slot_of(struct page *pages, size_t slots, uint64_t page) {
    size_t at = (size_t)(page * 0x9e3779b97f4a7c15ull >> 20) & (slots - 1);
    while (pages[at].number != 0 && pages[at].page != page)
        at = (at + 1) & (slots - 1);
    return &pages[at];
}

static void grow_pages(void) {
    size_t slots = 2 * core->page_slots;
    struct page *larger = map(slots * sizeof *larger);
    for (size_t i = 0; i < core->page_slots; i++)
        if (core->pages[i].number != 0)
            *slot_of(larger, slots, core->pages[i].page) = core->pages[i];
    munmap(core->pages, core->page_slots * sizeof *core->pages);
    core->pages = larger;
    core->page_slots = slots;
}

static uint64_t page_number(uint64_t page) {
    if (core->last_page.page == page)
        return core->last_page.number;
    struct page *slot = slot_of(core->pages, core->page_slots, page);
    if (slot->number == 0) {
        *slot = (struct page){page, ++core->page_count};
        core->last_page = *slot;
        if (2 * core->page_count > core->page_slots)
            grow_pages();
        return core->page_count;
    }
    core->last_page = *slot;
    return slot->number;
}

/* ---- Lines ---- */

/* True: a hit. The line is the first of its set then. */
static inline bool is_in(uint64_t *set, unsigned ways, uint64_t line) {
    if (set[0] == line)
        return true;
    unsigned i = 1;
    while (i < ways && set[i] != line)
        i++;
    bool hit = i < ways;
    for (i = hit ? i : ways - 1; i > 0; i--)
        set[i] = set[i - 1];
    set[0] = line;
    return hit;
}

static bool is_announced(uint64_t line) {
    unsigned count = bsim__processor.streams;
    for (unsigned i = 0; i < count; i++)
        if (core->streams[i] == line) {
            core->streams[i] = line + 1;
            return true;
        }
    if (count > 0)
        core->streams[core->next_stream++ % count] = line + 1;
    return false;
}

/* Which set of a large cache a line belongs to: its address is mixed, so that strides of a power of
 * two do not all meet in one, as random pages do it on a machine. */
static uint64_t set_of(uint64_t line, uint64_t sets) {
    return (line ^ line >> 11 ^ line >> 22) % sets;
}

static __attribute__((noinline)) void miss_first(uint64_t virtual_line) {
    uint64_t line = page_number(virtual_line / LINES_OF_A_PAGE) * LINES_OF_A_PAGE +
                    virtual_line % LINES_OF_A_PAGE;
    bool announced = is_announced(line);
    unsigned level = 1;
    for (; level < bsim__processor.level_count; level++) {
        unsigned ways = bsim__processor.levels[level].ways;
        if (is_in(core->levels[level] + set_of(line, level_sets[level]) * ways, ways, line))
            break;
    }
    bsim__counts.served[2 * (level - 1) + announced]++;
    bsim__counts.waited_ps += announced ? streamed_ps[level] : latency_ps[level];
}

/* The newest line of the set becomes the second, and so on up to this line's place, or its oldest
 * goes. */
static bool is_in_first(uint64_t line) {
    uint64_t set = line & bsim__first_mask, *newest = &core->newest[set];
    uint64_t *older = core->first + set * first_older, before = *newest;
    *newest = line;
    for (unsigned i = 0; i < first_older; i++) {
        uint64_t here = older[i];
        older[i] = before;
        if (here == line)
            return true;
        before = here;
    }
    return false;
}

void bsim__caches_older(uint64_t line) {
    if (core == NULL) { /* of a thread of the program's */
        core = new_core();
        bsim__counts.newest = core->newest;
    }
    if (!is_in_first(line))
        miss_first(line);
}
