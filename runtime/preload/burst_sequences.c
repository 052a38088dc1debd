/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash table with open addressing, whose entries stay where they are; codes in blocks of two
 * cache lines: a million bursts of 64 ranks take 140 MB.
 */
#include "runtime/preload/burst_sequences.h"

#include "runtime/preload/burst_file.h"

#include <math.h>
#include <sys/mman.h>

/* Memory for what is noted of bursts, beside malloc's: of that the program's own blocks would come
 * to lie elsewhere. Pieces of mapped memory are used from their begin to their end, and given back
 * when the process ends. */

#define PIECE_BYTES ((size_t)1 << 20)
#define ALIGNMENT ((size_t)16)

static char *piece;
static size_t piece_left;

static void *map(size_t bytes) {
    void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return mapped != MAP_FAILED ? mapped : NULL;
}

/* Zeroed; NULL: there is no more. */
static void *burst_memory_take(size_t bytes) {
    if (bytes > SIZE_MAX - ALIGNMENT)
        return NULL;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes > PIECE_BYTES / 4)
        return map(bytes);
    if (bytes > piece_left) {
        piece = map(PIECE_BYTES);
        piece_left = piece != NULL ? PIECE_BYTES : 0;
        if (piece == NULL)
            return NULL;
    }
    void *taken = piece;
    piece += bytes;
    piece_left -= bytes;
    return taken;
}

#define BLOCK_CODES 60

struct burst_block {
    struct burst_block *next;
    uint16_t codes[BLOCK_CODES];
};

static struct {
    struct burst_sequence **items; /* in the order in which they came */
    size_t count, capacity;
    struct burst_sequence **table; /* twice as long as `items` at least */
    size_t slots;                  /* a power of two */
    struct burst_sequence *last;   /* that was asked for */
} all;

static uint64_t hash(int64_t rank, uint64_t place) {
    uint64_t mixed = ((uint64_t)rank * 0x9e3779b97f4a7c15ull) ^ (place * 0xff51afd7ed558ccdull);
    mixed ^= mixed >> 32;
    return mixed * 0xc4ceb9fe1a85ec53ull >> 20;
}

static struct burst_sequence **slot_of(int64_t rank, uint64_t place) {
    size_t slot = hash(rank, place) & (all.slots - 1);
    while (all.table[slot] != NULL &&
           (all.table[slot]->rank != rank || all.table[slot]->place != place))
        slot = (slot + 1) & (all.slots - 1);
    return &all.table[slot];
}

static bool make_room(void) {
    size_t capacity = all.capacity > 0 ? 2 * all.capacity : 256;
    struct burst_sequence **items = burst_memory_take(capacity * sizeof(struct burst_sequence *));
    struct burst_sequence **table =
        burst_memory_take(2 * capacity * sizeof(struct burst_sequence *));
    if (items == NULL || table == NULL)
        return false;
    for (size_t i = 0; i < all.count; i++)
        items[i] = all.items[i];
    all.items = items;
    all.capacity = capacity;
    all.table = table;
    all.slots = 2 * capacity;
    for (size_t i = 0; i < all.count; i++)
        *slot_of(items[i]->rank, items[i]->place) = items[i];
    return true;
}

static struct burst_sequence *new_sequence(int64_t rank, uint64_t place) {
    if (all.count == all.capacity && !make_room())
        return NULL;
    struct burst_sequence *made = burst_memory_take(sizeof *made);
    if (made == NULL)
        return NULL;
    *made = (struct burst_sequence){.rank = rank, .place = place, .limit = INFINITY};
    all.items[all.count++] = *slot_of(rank, place) = made;
    return made;
}

struct burst_sequence *sequences_of(int64_t rank, uint64_t place) {
    if (all.last == NULL || all.last->rank != rank || all.last->place != place) {
        struct burst_sequence *found = all.slots > 0 ? *slot_of(rank, place) : NULL;
        all.last = found != NULL ? found : new_sequence(rank, place);
    }
    return all.last;
}

size_t sequences_count(void) {
    return all.count;
}

struct burst_sequence *sequences_at(size_t index) {
    return all.items[index];
}

bool sequence_add_other(struct burst_sequence *sequence, const uint16_t *codes, uint64_t count) {
    if (sequence->others == NULL)
        sequence->others = burst_memory_take(BURST_SIMULATIONS * sizeof *sequence->others);
    if (sequence->others == NULL)
        return false;
    if (sequence->other_count < BURST_SIMULATIONS)
        sequence->others[sequence->other_count++] = (struct burst_codes){codes, count};
    return true;
}

bool sequence_add(struct burst_sequence *sequence, uint16_t code) {
    size_t in_block = sequence->count % BLOCK_CODES;
    if (in_block == 0) {
        struct burst_block *block = burst_memory_take(sizeof *block);
        if (block == NULL)
            return false;
        *(sequence->last != NULL ? &sequence->last->next : &sequence->first) = block;
        sequence->last = block;
    }
    sequence->last->codes[in_block] = code;
    sequence->count++;
    return true;
}

int sequence_pieces(const struct burst_sequence *sequence,
                    int (*take)(void *context, const uint16_t *codes, size_t count),
                    void *context) {
    uint64_t left = sequence->count;
    for (const struct burst_block *block = sequence->first; block != NULL; block = block->next) {
        size_t count = left < BLOCK_CODES ? (size_t)left : BLOCK_CODES;
        int result = take(context, block->codes, count);
        if (result != 0)
            return result;
        left -= count;
    }
    return 0;
}

unsigned sequence_known(uint16_t out[BURST_SIMULATIONS], const struct burst_sequence *sequence,
                        uint64_t number) {
    unsigned count = 0;
    for (unsigned i = 0; i < sequence->other_count; i++) {
        if (number >= sequence->others[i].count)
            continue;
        uint16_t code = sequence->others[i].codes[number];
        if (code == BURST_UNKNOWN)
            continue;
        unsigned at = count++;
        for (; at > 0 && out[at - 1] > code; at--)
            out[at] = out[at - 1];
        out[at] = code;
    }
    return count;
}
