/* SPDX-License-Identifier: Apache-2.0
 *
 * A vector with a number for each rank as a few numbers, which models can tell on more ranks than
 * were seen: what it all adds up to, and how that is shared out.
 *
 * On a ring of ranks the two beside a rank are near, all others are far. Where a domain is cut into
 * slabs only those near get something; of a hash or a histogram all get as much. How much the rank
 * itself gets for each that a near one gets, and a far one, is told as a share of both: one half
 * each in a histogram, whatever the number of ranks, and nothing in slabs. Of those near the next
 * one gets a share, and the one before the rest. A rank alone is another case: nobody leaves it.
 *
 * Not handled: blocks of several dimensions, whose neighbours are not beside it on the ring.
 */
#pragma once

#include <stdbool.h>

enum vector_number {
    VECTOR_TOTAL, /* on several ranks */
    VECTOR_OWN,   /* of what the rank itself and a near one get */
    VECTOR_FAR,   /* of what a far one and a near one get */
    VECTOR_NEXT,  /* of what both near ones get */
    VECTOR_ALONE, /* the total on one rank */
    VECTOR_NUMBERS
};

/* Steps from one rank to another on the ring of all. */
static inline int vector_distance(int rank, int other, int ranks) {
    int ahead = ((other - rank) % ranks + ranks) % ranks;
    return ahead < ranks - ahead ? ahead : ranks - ahead;
}

static inline int vector_near(int ranks) {
    return ranks > 2 ? 2 : ranks - 1;
}

/* -1: there is nothing to share. */
static inline double vector_share(double part, double other) {
    return part + other > 0 ? part / (part + other) : -1;
}

/* A share that the vector does not tell is negative. */
static inline void vector_summarize(double *out, const double *vector, int rank, int ranks) {
    double near = 0, far = 0, next = 0;
    for (int i = 0; i < ranks; i++) {
        int distance = vector_distance(rank, i, ranks);
        near += distance == 1 ? vector[i] : 0;
        far += distance > 1 ? vector[i] : 0;
        next += i == (rank + 1) % ranks && distance == 1 ? vector[i] : 0;
    }
    double each_near = near / (ranks > 1 ? vector_near(ranks) : 1);
    out[VECTOR_TOTAL] = ranks > 1 ? near + far + vector[rank] : -1;
    out[VECTOR_OWN] = ranks > 1 ? vector_share(vector[rank], each_near) : -1;
    out[VECTOR_FAR] =
        ranks > 3 ? vector_share(far / (ranks - 1 - vector_near(ranks)), each_near) : -1;
    out[VECTOR_NEXT] = ranks > 2 ? vector_share(next, near - next) : -1;
    out[VECTOR_ALONE] = ranks == 1 ? vector[rank] : -1;
}

/* The number is asked for on so many ranks. */
static inline bool vector_asks(enum vector_number number, int ranks) {
    switch (number) {
    case VECTOR_TOTAL:
    case VECTOR_OWN:
        return ranks > 1;
    case VECTOR_NEXT:
        return ranks > 2;
    case VECTOR_FAR:
        return ranks > 3;
    default:
        return ranks == 1;
    }
}

static inline double vector_bounded(double number) {
    return number > 0 ? number < 1 ? number : 1 : 0;
}

/* What of the total a rank gets. */
static inline double vector_weight(const double *numbers, int rank, int other, int ranks) {
    double own = vector_bounded(numbers[VECTOR_OWN]);
    double far = ranks > 3 ? vector_bounded(numbers[VECTOR_FAR]) : 0;
    double next = ranks > 2 ? vector_bounded(numbers[VECTOR_NEXT]) : 0.5;
    if (other == rank)
        return ranks > 1 ? own * (1 - far) : 1;
    if (vector_distance(rank, other, ranks) > 1)
        return far * (1 - own);
    return 2 * (1 - far) * (1 - own) * (other == (rank + 1) % ranks ? next : 1 - next);
}

/* Whole numbers, not negative, that add up to the total; what rounding leaves of it is in *rest,
 * for the next vector. Each time another rank is the first, so that what is less than one goes to
 * all in turn. */
static inline void vector_share_out(double *out, double *rest, unsigned turn, const double *numbers,
                                    int rank, int ranks) {
    double total = numbers[ranks > 1 ? VECTOR_TOTAL : VECTOR_ALONE];
    double weights = 0, given = 0, wanted = 0;
    for (int i = 0; i < ranks; i++)
        weights += vector_weight(numbers, rank, i, ranks);
    for (int k = 0; k < ranks; k++) {
        int i = (int)((k + (long long)turn) % ranks);
        double weight = weights > 0 ? vector_weight(numbers, rank, i, ranks) / weights : i == rank;
        wanted += total > 0 ? total * weight : 0;
        double whole = (double)(long long)(wanted + *rest - given + 0.5);
        out[i] = weight > 0 && whole > 0 ? whole : 0;
        given += out[i];
    }
    *rest += wanted - given;
}
