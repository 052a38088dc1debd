/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that both ends of a message, or all members of a collective, make from what each of them
 * knows alone. The mixing is splitmix64's (Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", 2014): two of a trace's messages get the same number with a chance of their number
 * squared in 2^65.
 */
#ifndef ANALYSIS_WRITER_TRACE_ID_H
#define ANALYSIS_WRITER_TRACE_ID_H

#include <stdint.h>

static inline uint64_t trace_mix(uint64_t seed, uint64_t value) {
    uint64_t z = (seed ^ value) + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Never 0, which means that there is none. */
static inline uint64_t trace_message_id(uint64_t communicator_key, int32_t sender, int32_t receiver,
                                        int32_t tag, uint64_t number) {
    uint64_t pair = (uint64_t)(uint32_t)sender << 32 | (uint32_t)receiver;
    uint64_t id = trace_mix(
        trace_mix(trace_mix(communicator_key, pair), (uint32_t)tag + (1ull << 40)), number);
    return id != 0 ? id : 1;
}

static inline uint64_t trace_collective_id(uint64_t communicator_key, uint64_t number) {
    uint64_t id = trace_mix(trace_mix(communicator_key, 1ull << 41), number);
    return id != 0 ? id : 1;
}

/* Of the members of a communicator, in their order. */
static inline uint64_t trace_members_hash(const int32_t *members, int32_t size) {
    uint64_t hash = (uint64_t)(uint32_t)size;
    for (int32_t i = 0; i < size; i++)
        hash = trace_mix(hash, (uint32_t)members[i]);
    return hash;
}

/* Of a communicator: its members, and how many with the same ones were before it. */
static inline uint64_t trace_communicator_key(uint64_t members_hash, uint32_t before) {
    return trace_mix(members_hash, before);
}

#endif
