/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Groups, and communicators of them ---- */

static void tell_group(const struct rank *rank, const char *what, MPI_Group group) {
    int size, own, ranks[64], out[64];
    MPI_Group world;
    MPI_Comm_group(WORLD, &world);
    MPI_Group_size(group, &size);
    MPI_Group_rank(group, &own);
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    MPI_Group_translate_ranks(group, size, ranks, world, out);
    tell(rank, what, size, own, sum(out, size));
    for (int i = 0; i < rank->size; i++)
        ranks[i] = i;
    MPI_Group_translate_ranks(world, rank->size, ranks, group, out);
    tell(rank, what, out[0] == MPI_UNDEFINED, out[rank->size - 1] == MPI_UNDEFINED, 0);
    MPI_Group_free(&world);
}

static void tell_compared(const struct rank *rank, MPI_Group left, MPI_Group right) {
    int result;
    MPI_Group_compare(left, right, &result);
    tell(rank, "Group_compare", result == MPI_IDENT, result == MPI_SIMILAR, result == MPI_UNEQUAL);
}

/* Ranks of which some are missing, in no order. */
static MPI_Group irregular_group(const struct rank *rank, MPI_Group world) {
    int ranks[64], count = 0;
    MPI_Group group;
    for (int i = 0; i < rank->size; i++)
        if (i != 2)
            ranks[count++] = (i * 7 + 3) % rank->size;
    for (int i = 0; i < count; i++) /* each one once */
        for (int k = 0; k < i; k++)
            if (ranks[k] == ranks[i])
                ranks[i--] = ranks[--count];
    MPI_Group_incl(world, count, ranks, &group);
    return group;
}

static void groups(const struct rank *rank) {
    MPI_Group world, some, made;
    int first[] = {0}, ranges[1][3] = {{rank->size - 1, 0, -2}};
    MPI_Comm_group(WORLD, &world);
    some = irregular_group(rank, world);
    tell_group(rank, "irregular", some);
    tell_compared(rank, some, world);
#define MADE(call, ...)                                                                            \
    MPI_Group_##call(__VA_ARGS__, &made);                                                          \
    tell_group(rank, #call, made);                                                                 \
    tell_compared(rank, made, some);                                                               \
    MPI_Group_free(&made)
    MADE(union, some, world);
    MADE(union, world, some);
    MADE(difference, world, some);
    MADE(excl, world, 1, first);
    MADE(excl, some, 1, first);
    MADE(range_incl, world, 1, ranges);
    MADE(range_excl, world, 1, ranges);
    MADE(incl, world, 0, first);
    MPI_Group_free(&some);
    MPI_Group_free(&world);
}

/* What its members get by it, and who they are. */
static void use(const struct rank *rank, const char *what, MPI_Comm comm) {
    int size, own, compared, *cells, from = 0;
    if (comm == MPI_COMM_NULL) {
        tell(rank, what, -1, -1, 0);
        return;
    }
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &own);
    cells = ints_from(rank->rank, 3);
    MPI_Bcast(cells, 3, MPI_INT, size - 1, comm);
    MPI_Sendrecv(&own, 1, MPI_INT, (own + 1) % size, 1, &from, 1, MPI_INT, (own + size - 1) % size,
                 1, comm, MPI_STATUS_IGNORE);
    MPI_Comm_compare(comm, WORLD, &compared);
    tell(rank, what, size, own, sum(cells, 3) + from);
    tell(rank, what, compared == MPI_CONGRUENT, compared == MPI_SIMILAR, compared == MPI_UNEQUAL);
    free(cells);
}

static void communicators(const struct rank *rank) {
    MPI_Comm comm, inner;
    MPI_Group world, some;
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    MPI_Comm_group(WORLD, &world);
    some = irregular_group(rank, world);
    MPI_Comm_create(WORLD, some, &comm);
    use(rank, "Comm_create", comm);
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_split(comm, 0, -(rank->rank * 5 % 3), &inner);
        use(rank, "Comm_split_inside", inner);
        MPI_Comm_free(&inner);
        MPI_Comm_free(&comm);
    }
    MPI_Comm_split(WORLD, rank->rank == 0 ? MPI_UNDEFINED : rank->rank % 2, -rank->rank, &comm);
    use(rank, "Comm_split", comm);
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
    MPI_Comm_split(WORLD, 0, rank->rank * 3 % rank->size, &comm);
    MPI_Comm_set_name(comm, "turned");
    MPI_Comm_get_name(comm, name, &length);
    use(rank, name, comm);
    MPI_Comm_free(&comm);
    MPI_Comm_split_type(WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
    use(rank, "Comm_split_type", comm);
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
    use(rank, "Comm_self", MPI_COMM_SELF);
    MPI_Group_free(&some);
    MPI_Group_free(&world);
}

/* ---- Grids ---- */

static void tell_grid(const struct rank *rank, MPI_Comm grid, int dimensions) {
    int sizes[3], periods[3], at[3], from, to, other;
    MPI_Cartdim_get(grid, &other);
    tell(rank, "Cartdim_get", other, 0, 0);
    MPI_Cart_get(grid, dimensions, sizes, periods, at);
    tell(rank, "Cart_get", sum(sizes, dimensions), sum(periods, dimensions), sum(at, dimensions));
    for (int i = 0; i < dimensions; i++)
        for (int by = -2; by <= 2; by++) {
            MPI_Cart_shift(grid, i, by, &from, &to);
            tell(rank, "Cart_shift", by, from, to);
        }
    MPI_Cart_rank(grid, at, &other);
    at[0] -= 1 + sizes[0];
    tell(rank, "Cart_rank", other, 0, 0);
    int code = periods[0] ? MPI_Cart_rank(grid, at, &other) : MPI_SUCCESS;
    tell(rank, "Cart_rank", other, code, 0);
}

static void grids(const struct rank *rank) {
    int sizes[3] = {0, 2, 1}, periods[3] = {1, 0, 1}, keep[3] = {1, 0, 0}, none[3] = {0};
    MPI_Comm grid, part;
    if (rank->size % 2 != 0)
        return;
    sizes[0] = rank->size / 2;
    MPI_Cart_create(WORLD, 3, sizes, periods, 0, &grid);
    tell_grid(rank, grid, 3);
    MPI_Cart_sub(grid, keep, &part);
    use(rank, "Cart_sub", part);
    MPI_Comm_free(&part);
    MPI_Cart_sub(grid, none, &part);
    use(rank, "Cart_sub_of_none", part);
    if (part != MPI_COMM_NULL)
        MPI_Comm_free(&part);
    MPI_Comm_dup(grid, &part);
    tell_grid(rank, part, 3);
    MPI_Comm_free(&part);
    MPI_Comm_free(&grid);
    sizes[0] = 1; /* fewer places than ranks */
    MPI_Cart_create(WORLD, 1, sizes, periods, 0, &grid);
    use(rank, "Cart_create", grid);
    if (grid != MPI_COMM_NULL)
        MPI_Comm_free(&grid);
}

/* ---- Attributes: each rank has its own values ---- */

struct counts {
    int copied, forgotten;
};

static int copy(MPI_Comm comm, int key, void *extra, void *from, void *to, int *flag) {
    (void)comm, (void)key;
    ((struct counts *)extra)->copied++;
    *(void **)to = from;
    *flag = 1;
    return MPI_SUCCESS;
}

static int forget(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm, (void)key, (void)value;
    ((struct counts *)extra)->forgotten++;
    return MPI_SUCCESS;
}

static void tell_attribute(const struct rank *rank, const char *what, MPI_Comm comm, int key) {
    int *value = NULL, flag = 0;
    MPI_Comm_get_attr(comm, key, &value, &flag);
    tell(rank, what, flag, flag ? *value : -1, 0);
}

static void attributes(const struct rank *rank) {
    struct counts *counts = calloc(1, sizeof *counts);
    int key, plain, value = 100 + rank->rank, other = 200 + rank->rank;
    MPI_Comm comm, twin;
    MPI_Comm_dup(WORLD, &comm);
    MPI_Comm_create_keyval(copy, forget, &key, counts);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &plain, NULL);
    tell_attribute(rank, "none", comm, key);
    MPI_Comm_set_attr(comm, key, &value);
    MPI_Comm_set_attr(comm, plain, &value);
    MPI_Barrier(WORLD); /* all have one now */
    tell_attribute(rank, "own", comm, key);
    MPI_Comm_set_attr(comm, key, &other);
    tell_attribute(rank, "other", comm, key);
    tell(rank, "replaced", counts->copied, counts->forgotten, 0);
    MPI_Comm_dup(comm, &twin);
    tell_attribute(rank, "twin", twin, key);
    tell_attribute(rank, "twin_plain", twin, plain);
    tell(rank, "copied", counts->copied, counts->forgotten, 0);
    MPI_Barrier(WORLD);
    if (rank->rank % 2 == 0)
        MPI_Comm_free(&twin);
    MPI_Barrier(WORLD); /* others still have theirs */
    if (rank->rank % 2 != 0)
        tell_attribute(rank, "still", twin, key);
    tell(rank, "freed", counts->copied, counts->forgotten, 0);
    if (rank->rank % 2 != 0)
        MPI_Comm_free(&twin);
    int code = MPI_Comm_delete_attr(comm, key);
    tell(rank, "deleted", code, counts->forgotten, 0);
    tell_attribute(rank, "gone", comm, key);
    tell_attribute(rank, "plain", comm, plain);
    MPI_Barrier(WORLD);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free(&comm);
    tell(rank, "all_freed", counts->copied, counts->forgotten, key == MPI_KEYVAL_INVALID);
    free(counts);
}

static void predefined_attributes(const struct rank *rank) {
    const int keys[] = {MPI_TAG_UB, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE};
    for (int i = 0; i < 3; i++)
        tell_attribute(rank, "predefined", WORLD, keys[i]);
}

/* ---- Infos ---- */

static void tell_value(const struct rank *rank, MPI_Info info, const char *key) {
    char value[32] = "";
    int length = -1, flag = 0, has_length = 0;
    MPI_Info_get(info, key, 31, value, &flag);
    MPI_Info_get_valuelen(info, key, &length, &has_length);
    tell(rank, key, flag, flag ? atoi(value) : -1, has_length ? length : -1);
}

static void infos(const struct rank *rank) {
    MPI_Info info, twin;
    char key[MPI_MAX_INFO_KEY + 1] = "";
    int count = -1;
    MPI_Info_create(&info);
    MPI_Info_set(info, "first", "10");
    MPI_Info_set(info, "second", "20");
    MPI_Info_set(info, "first", "333");
    tell_value(rank, info, "first");
    tell_value(rank, info, "second");
    tell_value(rank, info, "third");
    MPI_Info_dup(info, &twin);
    tell(rank, "Info_delete", MPI_Info_delete(info, "first"), MPI_Info_delete(info, "third"), 0);
    MPI_Info_get_nkeys(info, &count);
    MPI_Info_get_nthkey(info, 0, key);
    tell(rank, "Info_get_nkeys", count, key[0], 0);
    tell_value(rank, info, "first");
    tell_value(rank, twin, "first");
    tell(rank, "Info_get_nthkey", MPI_Info_get_nthkey(info, 5, key) != MPI_SUCCESS, 0, 0);
    MPI_Info_free(&info);
    MPI_Info_free(&twin);
    tell(rank, "Info_free", info == MPI_INFO_NULL, twin == MPI_INFO_NULL, 0);
}

void objects(const struct rank *rank) {
    groups(rank);
    communicators(rank);
    grids(rank);
    attributes(rank);
    predefined_attributes(rank);
    infos(rank);
}
