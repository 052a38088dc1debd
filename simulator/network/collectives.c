/* SPDX-License-Identifier: Apache-2.0
 *
 * The names, and what is made of them; see collectives.h. tests/unit/simulator asks the SimGrid
 * that is installed for its names and compares them with this table.
 */
#include "simulator/network/collectives.h"

#include <stdbool.h>
#include <string.h>

static const char selections[] = "tree ompi-4.1 ompi mpich mvapich2 impi automatic default";

#define OWN_LIBRARY "ompi-4.1"

/* Algorithms between blanks. `tree` has the textbook's number of steps: at 1,024 ranks a call of
 * 8 B to 64 KB takes 0.3 to 1.2 s of wall time (an allgather of 8 KB 7.5 s). With SMPI's selections
 * the first such call of a run also costs 33 s there, and 4 ms of simulated time (1 s and 1 ms at
 * 256 ranks); its own defaults are linear and, where messages are small, nearly free. */
static const struct collective {
    const char *name, *algorithms, *tree;
} collectives[] = {
    {"allgather",
     "default 2dmesh 3dmesh bruck GB loosely_lr NTSLR NTSLR_NB pair rdb rhv ring SMP_NTS "
     "smp_simple spreading_simple ompi ompi_neighborexchange mvapich2 mvapich2_smp mpich impi "
     "automatic",
     "rdb"},
    {"allgatherv",
     "default GB pair ring ompi ompi_neighborexchange ompi_bruck mpich mpich_rdb mpich_ring "
     "mvapich2 impi automatic",
     NULL},
    {"allreduce",
     "default lr rab1 rab2 rab_rdb rdb smp_binomial smp_binomial_pipeline smp_rdb smp_rsag "
     "smp_rsag_lr smp_rsag_rab redbcast ompi ompi_ring_segmented mpich mvapich2 mvapich2_rs "
     "mvapich2_two_level impi rab automatic",
     "rdb"},
    {"alltoall",
     "default 2dmesh 3dmesh basic_linear bruck pair pair_rma pair_light_barrier "
     "pair_mpi_barrier pair_one_barrier rdb ring ring_light_barrier ring_mpi_barrier "
     "ring_one_barrier mvapich2 mvapich2_scatter_dest ompi mpich impi automatic",
     NULL},
    {"alltoallv",
     "default bruck pair pair_light_barrier pair_mpi_barrier pair_one_barrier ring "
     "ring_light_barrier ring_mpi_barrier ring_one_barrier ompi mpich ompi_basic_linear mvapich2 "
     "impi automatic",
     NULL},
    {"barrier",
     "default ompi ompi_basic_linear ompi_two_procs ompi_tree ompi_bruck ompi_recursivedoubling "
     "ompi_doublering mpich_smp mpich mvapich2_pair mvapich2 impi automatic",
     "ompi_recursivedoubling"},
    {"bcast",
     "default arrival_pattern_aware arrival_pattern_aware_wait arrival_scatter binomial_tree "
     "flattree flattree_pipeline NTSB NTSL NTSL_Isend scatter_LR_allgather scatter_rdb_allgather "
     "SMP_binary SMP_binomial SMP_linear ompi ompi_split_bintree ompi_pipeline mpich mvapich2 "
     "mvapich2_inter_node mvapich2_intra_node mvapich2_knomial_intra_node impi automatic",
     "binomial_tree"},
    {"gather",
     "default ompi ompi_basic_linear ompi_binomial ompi_linear_sync mpich mvapich2 "
     "mvapich2_two_level impi automatic",
     "ompi_binomial"},
    {"reduce",
     "default arrival_pattern_aware binomial flat_tree NTSL scatter_gather ompi ompi_chain "
     "ompi_pipeline ompi_basic_linear ompi_in_order_binary ompi_binary ompi_binomial mpich "
     "mvapich2 mvapich2_knomial mvapich2_two_level impi rab automatic",
     "binomial"},
    {"reduce_scatter",
     "default ompi ompi_basic_recursivehalving ompi_ring ompi_butterfly mpich mpich_pair mpich_rdb "
     "mpich_noncomm mvapich2 impi automatic",
     NULL},
    {"scatter",
     "default ompi ompi_basic_linear ompi_linear_nb ompi_binomial mpich mvapich2 "
     "mvapich2_two_level_binomial mvapich2_two_level_direct impi automatic",
     "ompi_binomial"},
};

#define COLLECTIVE_COUNT (sizeof collectives / sizeof *collectives)

/* Is the word one of those between blanks? */
static bool is_among(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; length > 0 && (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return strchr(word, ' ') == NULL;
    return false;
}

static const struct collective *find(const char *name) {
    for (size_t i = 0; i < COLLECTIVE_COUNT; i++)
        if (strcmp(collectives[i].name, name) == 0)
            return &collectives[i];
    return NULL;
}

static const char *all_names(struct arena *arena) {
    const char *names = collectives[0].name;
    for (size_t i = 1; i < COLLECTIVE_COUNT; i++)
        names = arena_printf(arena, "%s %s", names, collectives[i].name);
    return names;
}

static int choose(const char *chosen[], char *pair, struct arena *arena, struct error *error) {
    char *equals = strchr(pair, '=');
    *equals = '\0';
    const char *algorithm = equals + 1;
    const struct collective *collective = find(pair);
    if (collective == NULL)
        return error_set(error, "--collectives: there is no collective '%s'; there are %s", pair,
                         all_names(arena));
    if (strcmp(pair, "allreduce") == 0 && strcmp(algorithm, "ring") == 0)
        algorithm = "lr";
    if (!is_among(collective->algorithms, algorithm))
        return error_set(error, "--collectives: %s has no algorithm '%s'; SimGrid 3.32 has %s",
                         pair, algorithm, collective->algorithms);
    if (chosen[collective - collectives] != NULL)
        return error_set(error, "--collectives: %s is given twice", pair);
    chosen[collective - collectives] = algorithm;
    return 0;
}

static int parse(const char *chosen[], const char **selection, const char *text,
                 struct arena *arena, struct error *error) {
    char *item = arena_strdup(arena, text);
    for (char *next; item != NULL; item = next) {
        next = strchr(item, ',');
        if (next != NULL)
            *next++ = '\0';
        bool first = *selection == NULL;
        if (strchr(item, '=') != NULL) {
            if (choose(chosen, item, arena, error) != 0)
                return -1;
        } else if (!is_among(selections, item)) {
            return error_set(error,
                             "--collectives: there is no selection '%s'; there are %s, and pairs "
                             "such as allreduce=rdb,bcast=binomial_tree",
                             item, selections);
        } else if (!first) {
            return error_set(error, "--collectives: '%s' is a second selection", item);
        } else {
            *selection = item;
        }
    }
    return 0;
}

static bool is_wrong(const char *collective, const char *algorithm) {
    enum { REPLACED, SUMS, DERIVED, INNER, EMPTY };
    static const struct {
        int fault;
        const char *collective, *algorithm;
    } faults[] = {
#define COLLECTIVE_FAULT(fault, collective, algorithm, least, most) {fault, collective, algorithm},
#include "mpi/collective_faults.def"
#undef COLLECTIVE_FAULT
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i].fault == REPLACED && strcmp(faults[i].collective, collective) == 0 &&
            strcmp(faults[i].algorithm, algorithm) == 0)
            return true;
    return false;
}

/* What is taken in place of a wrong one. */
static const char *replacement(struct collective_settings *out, const struct collective *collective,
                               const char *algorithm, struct arena *arena) {
    const char *other = collective->tree != NULL ? collective->tree : "default";
    if (!is_wrong(collective->name, algorithm))
        return algorithm;
    vec_push(&out->replaced,
             arena_printf(arena, "%s=%s delivers wrong data or crashes: %s is taken",
                          collective->name, algorithm, other));
    return other;
}

int collectives_settings(struct collective_settings *out, const char *text, struct arena *arena,
                         struct error *error) {
    const char *chosen[COLLECTIVE_COUNT] = {NULL}, *selection = NULL;
    if (parse(chosen, &selection, text, arena, error) != 0)
        return -1;
    if (selection != NULL && strcmp(selection, OWN_LIBRARY) == 0 &&
        collectives_library(text) == NULL)
        return error_set(error, "--collectives: %s chooses by itself: no pairs beside it",
                         selection);
    bool is_library = selection != NULL && strcmp(selection, OWN_LIBRARY) == 0;
    bool is_tree = selection == NULL || is_library || strcmp(selection, "tree") == 0;
    if (!is_tree)
        vec_push(&out->of, arena_printf(arena, "smpi/coll-selector:%s", selection));
    for (size_t i = 0; i < COLLECTIVE_COUNT; i++) {
        const char *algorithm = chosen[i];
        if (algorithm == NULL && is_tree)
            algorithm = collectives[i].tree;
        else if (algorithm != NULL || is_wrong(collectives[i].name, selection))
            algorithm =
                replacement(out, &collectives[i], algorithm != NULL ? algorithm : selection, arena);
        if (algorithm != NULL)
            vec_push(&out->of, arena_printf(arena, "smpi/%s:%s", collectives[i].name, algorithm));
    }
    return 0;
}

const char *collectives_library(const char *text) {
    return strcmp(text, OWN_LIBRARY) == 0 ? OWN_LIBRARY : NULL;
}
