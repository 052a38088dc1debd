/* SPDX-License-Identifier: Apache-2.0
 *
 * All bursts by rank and call: those of this simulation, and those that others have left in a file.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The latest ones of a file are looked at; a median of more is hardly better. */
#define BURST_SIMULATIONS 15

struct burst_codes {
    const uint16_t *codes;
    uint64_t count;
};

struct burst_block;

struct burst_sequence {
    int64_t rank;
    uint64_t place;
    uint64_t count;                   /* of bursts in this simulation so far */
    struct burst_block *first, *last; /* their codes */
    struct burst_codes *others;       /* BURST_SIMULATIONS of them; NULL: in no other */
    unsigned other_count;
    double limit;             /* by which factor one is rarely longer than usual */
    bool is_the_same;         /* its bursts are so in each simulation, by their sum; */
    bool scatters_by_machine; /* ... and by how they scatter */
};

/* That of the rank and the call, a new one if there is none yet; NULL: out of memory. */
struct burst_sequence *sequences_of(int64_t rank, uint64_t place);

/* All of them, in no order. */
size_t sequences_count(void);
struct burst_sequence *sequences_at(size_t index);

/* What another simulation has of it. False: out of memory. */
bool sequence_add_other(struct burst_sequence *sequence, const uint16_t *codes, uint64_t count);

/* The next burst of this simulation. False: out of memory. */
bool sequence_add(struct burst_sequence *sequence, uint16_t code);

/* Calls take() with the codes of this simulation, piece by piece; ends with what take() returns
 * that is not 0. */
int sequence_pieces(const struct burst_sequence *sequence,
                    int (*take)(void *context, const uint16_t *codes, size_t count), void *context);

/* What others have of this burst, sorted, without those of which nothing is known; returns how
 * many. */
unsigned sequence_known(uint16_t out[BURST_SIMULATIONS], const struct burst_sequence *sequence,
                        uint64_t number);
