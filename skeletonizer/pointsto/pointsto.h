/* SPDX-License-Identifier: Apache-2.0
 *
 * Where pointers may point: inclusion-based analysis (L. Andersen, 1994) over the whole program,
 * field-sensitive by byte offset.
 *
 * A location is a set of bytes of one object: [offset, offset + length), repeated every `stride`
 * bytes when stride is not 0. Elements of an array are not told apart; members of its elements are.
 * Length 0 means "up to the end" in an lvalue, and "one element of unknown size" in a pointer.
 * Function pointers are resolved while solving: calls get their targets here.
 */
#pragma once

#include "base/hash_table.h"
#include "frontend/program/program.h"
#include "skeletonizer/pointsto/pointsto_sets.h"

struct location {
    int object;
    int read_at; /* id of a node + 1: as read there (slice/versions.c); 0: at any time */
    long long offset_bytes, stride_bytes, length_bytes;
};

struct points_to {
    struct program *program;
    VEC(struct location) locations; /* interned: a location is known by its index */
    struct hash_table index;
    struct location_sets sets;
    int *variables; /* points-to variable -> set of locations */
    int variable_count;
    VEC(int) cells;             /* location -> set of what is stored there */
    VEC(unsigned) cell_steps;   /* location -> when something was stored there last */
    VEC(unsigned) cell_looks;   /* location -> the last look that came to it */
    VEC(unsigned) object_looks; /* object -> the last look that came to all of its cells */
    unsigned look;
    VEC(int_list) cells_of; /* object -> locations with a cell */
    VEC(struct object *)
    clone_of;                   /* heap block of one call of an allocating function -> the
                                 * block that is allocated inside it; NULL for others */
    VEC(int_list) clones;       /* block -> its clones and theirs, ascending */
    bool *wrappers;             /* by function: each call of it has blocks of its own */
    VEC(unsigned) solved;       /* constraint -> the step at which it was solved last, 0: never */
    VEC(int) looked_at;         /* constraint -> the set that its pointer had then, */
    VEC(int) copied_from;       /* and that of the pointer to what it copies */
    VEC(unsigned) object_steps; /* object without its clones -> when something was stored last */
    VEC(bool) collapsed;        /* object -> its members are not told apart (pointsto_bound.h), */
    bool without_clones;        /* nor clones from what they are clones of */
    size_t size, size_most;     /* locations in all sets; as from which these are too many */
    int_list members;           /* object -> locations that are pointers to its members */
    int_list moved;             /* object -> locations that copies have made in it */
    unsigned *variable_steps;   /* variable -> when it got something last */
    unsigned step;
    struct hash_table reaches; /* sets of objects -> what is reached from them, a key itself */
    size_t reach_bytes;
    struct hash_table states; /* their objects, by name */
    struct object *outside;   /* all that code without source may point to */
    struct object *arguments; /* argv */
    struct object *files;     /* what is written to all of them */
    struct object *variable_arguments;
    const struct function *code_of; /* whose code new constraints are of; NULL: nobody's */
    bool knows_communicators;       /* their handles can be followed */
    size_t copy_steps;              /* locations and cells that copies have looked at, and stores */
    bool changed;
};

void points_to_solve(struct points_to *out, struct program *program);
void points_to_dispose(struct points_to *points_to);

/* The locations that an lvalue may be; the caller disposes of the list. */
void points_to_locations(struct points_to *points_to, struct lvalue lvalue, int_list *out);

/* The same where its pointer has the targets in this set. */
void points_to_locations_of(struct points_to *points_to, struct lvalue lvalue, int set,
                            int_list *out);

/* What a points-to variable may point to (borrowed); NULL if it is never a pointer. */
const int_list *points_to_targets(const struct points_to *points_to, int variable);

/* The set of these, by its id; 0: of none. */
static inline int points_to_set(const struct points_to *points_to, int variable) {
    return variable >= 0 && variable < points_to->variable_count ? points_to->variables[variable]
                                                                 : 0;
}

/* Of two strides; 0 is "no stride" and leaves the other. */
long long location_gcd(long long a, long long b);

bool location_overlap(struct location one, struct location other);

/* Where a part lies in a location, and so in another one that the location is copied to. */
struct location_shift {
    bool is_anywhere; /* which cannot be told: all of the other location */
    long long distance_bytes, stride_bytes, length_bytes;
};

struct location_shift location_shift_of(struct location part, struct location from);
struct location location_shifted(struct location to, struct location_shift shift);

/* The part of `to` that corresponds to `part`, a part of `from`, when `from` is copied to `to`. */
struct location location_translate(struct location part, struct location from, struct location to);

/* What the object is a clone of; NULL: of nothing. */
struct object *points_to_original(const struct points_to *points_to, int object);

/* The same for clones of clones: the block at the end, which may be the object itself. Ids. */
int points_to_block(const struct points_to *points_to, int object);

/* A new object is a clone of `origin`. Ids. */
void points_to_add_clone(struct points_to *points_to, int object, int origin);

/* All clones of an object and theirs, ascending ids (borrowed); NULL if there are none. */
const int_list *points_to_clones(const struct points_to *points_to, int object);

/* The blocks that share what is stored in them: the object itself (index 0), those that it is a
 * clone of, its clones; -1: there are no more. */
int points_to_sharing(const struct points_to *points_to, int object, size_t index);

/* Something has been stored since then in the object, or in one that shares what is stored. */
bool points_to_has_changed(const struct points_to *points_to, int object, unsigned since);

/* What is stored at a location (borrowed). */
const int_list *points_to_cell(const struct points_to *points_to, int location);

/* Reached, too, is what pointers point to that are stored in what is reached. By object. */
void points_to_close(const struct points_to *points_to, bool *reached);

/* Once all is solved: what is reached from these objects, themselves included. Sets of objects have
 * a bit each of all objects that there were when this was asked first; later ones are not reached.
 * What is given back is borrowed, and equal sets are one. */
const unsigned char *points_to_reach(struct points_to *points_to, const unsigned char *objects);
size_t points_to_reach_bytes(struct points_to *points_to);

static inline bool object_set_has(const unsigned char *set, int object) {
    return (set[object / 8] >> (object % 8)) & 1;
}

static inline void object_set_add(unsigned char *set, int object) {
    set[object / 8] |= (unsigned char)(1 << (object % 8));
}

/* All that pointers in the object may point to; the caller disposes of the list. */
void points_to_stored(const struct points_to *points_to, int object, int_list *out);

/* What a pointer that lies there may point to; added to the list, which the caller disposes of. */
void points_to_load(struct points_to *points_to, struct location location, int_list *out);

/* Solves all constraints anew or further until nothing changes; false: nothing did. */
bool points_to_settle(struct points_to *points_to);

/* While solving: one more constraint; the whole object as an lvalue. */
void points_to_constrain(struct points_to *points_to, struct constraint constraint);
struct lvalue points_to_lvalue(const struct object *object);
/* What is at `lvalue` may be the object's address. */
void points_to_store_address(struct points_to *points_to, struct lvalue lvalue,
                             const struct object *object);

int points_to_intern(struct points_to *points_to, struct location location);

/* The index of a location; -1: it is not known yet. */
int points_to_known(const struct points_to *points_to, struct location location);

/* While solving: what those locations are (a set) is stored there as well. */
void points_to_store(struct points_to *points_to, int location, int set);

/* The hidden state of a library (rand, strtok, stdin) as an object. */
struct object *points_to_state(struct points_to *points_to, const char *name);
