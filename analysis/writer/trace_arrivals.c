/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/writer/trace_arrivals.h"

#include "analysis/writer/trace_id.h"
#include "analysis/writer/trace_table.h"

#include <string.h>

struct trace_collective {
    struct trace_node node;
    int32_t communicator, came, left;
    uint64_t number;
    int64_t last_ns, root_ns;
    int64_t *each_ns; /* by rank; NULL: not a prefix */
};

struct trace_arrivals {
    struct trace_table table;
};

static void dispose(struct trace_node *node) {
    free(((struct trace_collective *)node)->each_ns);
}

struct trace_arrivals *trace_arrivals_new(void) {
    return calloc(1, sizeof(struct trace_arrivals));
}

void trace_arrivals_free(struct trace_arrivals *arrivals) {
    trace_table_dispose(&arrivals->table, dispose);
    free(arrivals);
}

static uint64_t hash(const struct trace_arrival *who) {
    return trace_mix(trace_mix((uint64_t)(uint32_t)who->communicator, 0), who->number);
}

static struct trace_collective *find(const struct trace_arrivals *arrivals,
                                     const struct trace_arrival *who) {
    struct trace_node *node = trace_table_find(&arrivals->table, hash(who));
    for (; node != NULL; node = trace_table_after(node)) {
        struct trace_collective *of = (struct trace_collective *)node;
        if (of->communicator == who->communicator && of->number == who->number)
            return of;
    }
    return NULL;
}

/* NULL: out of memory. */
static struct trace_collective *add(struct trace_arrivals *arrivals,
                                    const struct trace_arrival *who, enum mpi_pattern pattern) {
    struct trace_collective *of = calloc(1, sizeof *of);
    if (of == NULL)
        return NULL;
    of->communicator = who->communicator;
    of->number = who->number;
    of->last_ns = of->root_ns = INT64_MIN;
    if (pattern == MPI_PATTERN_PREFIX)
        of->each_ns = calloc((size_t)who->size, sizeof *of->each_ns);
    if (trace_table_add(&arrivals->table, &of->node, hash(who)))
        return of;
    free(of->each_ns);
    free(of);
    return NULL;
}

void trace_arrivals_come(struct trace_arrivals *arrivals, const struct trace_arrival *who,
                         enum mpi_pattern pattern, int64_t now_ns) {
    struct trace_collective *of = find(arrivals, who);
    if (of == NULL)
        of = add(arrivals, who, pattern);
    if (of == NULL)
        return;
    of->came++;
    if (now_ns > of->last_ns)
        of->last_ns = now_ns;
    if (who->is_root)
        of->root_ns = now_ns;
    if (of->each_ns != NULL && who->rank >= 0 && who->rank < who->size)
        of->each_ns[who->rank] = now_ns;
}

static int64_t last_before(const struct trace_collective *of, int32_t rank) {
    int64_t last_ns = INT64_MIN;
    for (int32_t i = 0; of->each_ns != NULL && i < rank; i++)
        last_ns = of->each_ns[i] > last_ns ? of->each_ns[i] : last_ns;
    return last_ns;
}

static int64_t waits_until(const struct trace_collective *of, const struct trace_arrival *who,
                           enum mpi_pattern pattern) {
    switch (pattern) {
    case MPI_PATTERN_NONE: /* others than collectives of data: makers of communicators, of windows
                            */
    case MPI_PATTERN_BARRIER:
    case MPI_PATTERN_ALL_TO_ALL:
        return of->last_ns;
    case MPI_PATTERN_ONE_TO_ALL:
        return who->is_root ? INT64_MIN : of->root_ns;
    case MPI_PATTERN_ALL_TO_ONE:
        return who->is_root ? of->last_ns : INT64_MIN;
    case MPI_PATTERN_PREFIX:
        return last_before(of, who->rank);
    default:
        return INT64_MIN;
    }
}

int64_t trace_arrivals_leave(struct trace_arrivals *arrivals, const struct trace_arrival *who,
                             enum mpi_pattern pattern) {
    struct trace_collective *of = find(arrivals, who);
    if (of == NULL)
        return INT64_MIN;
    int64_t until_ns = waits_until(of, who, pattern);
    if (++of->left >= who->size) {
        trace_table_remove(&arrivals->table, &of->node);
        dispose(&of->node);
        free(of);
    }
    return until_ns;
}
