/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the time of a run goes: computation, waiting, communication.
 *
 * In: the summaries of a run and of the same run on an ideal network (ideal.h), where messages take
 * no time. With T and T' their times until the last rank has finished, and C(r) the computation of
 * rank r, means being over all ranks:
 *   computation    mean C
 *   waiting        T' - mean C, of which
 *     imbalance      max C - mean C    some ranks have more to do than others
 *     dependencies   T' - max C        ranks wait for what others have not computed yet
 *   communication  T - T'              what the network adds
 * which add up to T. T' is the least that any network can do. The four quotients mean C / max C,
 * max C / T', T' / T and their product mean C / T are known as load balance, serialisation,
 * transfer and parallel efficiency (POP Centre of Excellence, "POP standard metrics for parallel
 * performance analysis"; there, too, transfer is told from serialisation by a simulated ideal
 * network). Of a rank r that is in MPI for M(r) and, on the ideal network, M'(r), and that ends at
 * E(r): computation C(r), communication M(r) - M'(r), waiting M'(r) + T - E(r), which add up to T.
 * Calls and call sites wait for as long as they take on the ideal network. A site may wait longer
 * there than it takes here, where its rank comes later: then another site waits less.
 * A program that takes another path when messages are faster (a master who serves whoever comes
 * first) computes something else on its ranks there; its parts are then about different runs, and
 * communication may even come out below zero.
 */
#pragma once

#include "simulator/run/stats.h"

struct rank_parts {
    double computation_s, waiting_s, communication_s;
};

struct attribution {
    double makespan_s, ideal_s;
    double computation_s, imbalance_s, dependencies_s, communication_s;
    struct rank_parts *ranks;
    size_t rank_count;
};

/* In the arena of `stats`, whose ranks are as many as those of `ideal`; sets waiting_s of its calls
 * and sites. */
void attribution_make(struct attribution *out, struct run_stats *stats,
                      const struct run_stats *ideal);
