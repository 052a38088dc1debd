/* SPDX-License-Identifier: Apache-2.0
 *
 * What messages cost between two ranks, as measured: by `mpiskel calibrate --network`, whose
 * program (runtime/benchmark/benchmark.c) tells what each kind is. Read from what that program
 * prints, and kept in a file (docs/how-to/calibrate.md) that can be fitted again.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum message_kind {
    MESSAGE_PINGPONG, /* half a round trip */
    MESSAGE_SEND,     /* MPI_Send to a busy receiver; below the threshold only */
    MESSAGE_RECEIVE,  /* MPI_Recv of what is there already; likewise */
    MESSAGE_ISEND,    /* MPI_Isend to a busy receiver */
    MESSAGE_EXCHANGE, /* both ranks send and receive at the same time */
    MESSAGE_STREAM,   /* one of many messages behind one another */
    MESSAGE_RING,     /* three nodes send and receive in a circle at the same time */
    MESSAGE_KIND_COUNT
};

#define MESSAGE_BYTES_MAX (1 << 30)
#define MESSAGE_POINTS_MAX 500

struct message_point {
    double bytes;                   /* whole, at least 1 */
    double median_s, low_s, high_s; /* low and high: the quartiles of the samples */
    double samples;
};

struct message_points {
    struct message_point *items; /* by size */
    size_t count;
};

/* Two ranks on one node, or on two. */
enum message_place { MESSAGE_WITHIN, MESSAGE_ACROSS, MESSAGE_PLACE_COUNT };

struct message_pair {
    bool measured;
    double threshold_bytes; /* the smallest message whose MPI_Send waits for the receiver */
    struct message_points kinds[MESSAGE_KIND_COUNT];
};

struct messages {
    struct arena arena;                                 /* owns everything below */
    const char *machine, *host, *cpu, *launcher, *made; /* made: YYYY-MM-DD HH:MM, UTC */
    int cores;                                          /* of the host */
    struct message_pair pairs[MESSAGE_PLACE_COUNT];
};

const char *message_kind_name(enum message_kind kind);
const char *message_place_name(enum message_place place);

/* 0 or -1; after -1 there is nothing to dispose. `messages_parse` reads what the program printed;
 * texts are left to the caller. At least one pair is measured then, with round trips of at least
 * three sizes. */
int messages_parse(struct messages *out, const char *output, struct error *error);
/* Several measurements of the same, e.g. by several starts of the program: of each size that the
 * first one has, the medians of their medians and quartiles. Texts are left to the caller. */
void messages_merge(struct messages *out, const struct messages *all, size_t count);

int messages_read(struct messages *out, const char *path, struct error *error);
int messages_write(const struct messages *messages, const char *path, struct error *error);
void messages_dispose(struct messages *messages);

/* The point of this size, or NULL. */
const struct message_point *messages_find(const struct message_points *points, double bytes);
