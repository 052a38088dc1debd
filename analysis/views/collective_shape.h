/* SPDX-License-Identifier: Apache-2.0
 *
 * Who waits for whom in a collective, by the name of its function: the classes of Scalasca's wait
 * states (its manual's "Performance properties").
 */
#ifndef ANALYSIS_VIEWS_COLLECTIVE_SHAPE_H
#define ANALYSIS_VIEWS_COLLECTIVE_SHAPE_H

enum collective_shape {
    SHAPE_NONE,       /* nobody has to wait, or nobody knows who: nonblocking, neighbours, others */
    SHAPE_FROM_ROOT,  /* all wait for the root: MPI_Bcast, MPI_Scatter */
    SHAPE_TO_ROOT,    /* the root waits for all: MPI_Reduce, MPI_Gather */
    SHAPE_ALL_TO_ALL, /* all wait for all: MPI_Allreduce, MPI_Alltoall */
    SHAPE_BARRIER,
    SHAPE_PREFIX, /* each waits for the ranks before it: MPI_Scan */
};

enum collective_shape collective_shape_of(const char *function);

#endif
