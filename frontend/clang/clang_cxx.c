/* SPDX-License-Identifier: Apache-2.0
 *
 * Refusals of a C++ unit, and what becomes of them.
 */
#include "frontend/clang/clang_cxx.h"

#include <string.h>

typedef VEC(CXCursor) cursor_vector;

/* A class that is only declared, or whose members are other ones for each type, holds nothing. */
static bool holds_definitions(CXCursor cursor) {
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_Namespace:
    case CXCursor_LinkageSpec:
    case CXCursor_FriendDecl:
    case CXCursor_ClassDecl:
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
        return !clang_Location_isInSystemHeader(clang_getCursorLocation(cursor));
    default:
        return false;
    }
}

static void flatten(struct clang_reader *reader, cursor_vector *out, struct cursors from) {
    for (int i = 0; i < from.count; i++) {
        vec_push(out, from.items[i]);
        if (holds_definitions(from.items[i]))
            flatten(reader, out, reader_children(reader, from.items[i]));
    }
}

struct cursors cxx_flat(struct clang_reader *reader, struct cursors top) {
    cursor_vector flat = {0};
    flatten(reader, &flat, top);
    struct cursors out = {.count = (int)flat.count};
    out.items = ARENA_ARRAY(&reader->scratch, CXCursor, flat.count + 1);
    for (int i = 0; i < out.count; i++)
        out.items[i] = flat.items[i];
    vec_dispose(&flat);
    return out;
}

#define REFUSALS_TOLD 10 /* of one unit: the first ones say what kind of C++ it is */

void cxx_refuse(struct clang_reader *reader, CXCursor cursor, const char *what) {
    struct clang_refusal refusal = {reader_range(reader, cursor, NULL),
                                    arena_strdup(&reader->program->arena, what)};
    for (size_t i = 0; i < reader->refusals.count; i++)
        if (memcmp(&reader->refusals.items[i].range, &refusal.range, sizeof refusal.range) == 0)
            return;
    vec_push(&reader->refusals, refusal);
}

static void report(struct clang_reader *reader) {
    size_t count = reader->refusals.count;
    struct range nowhere = {-1, 0, 0};
    for (size_t i = 0; i < count && i < REFUSALS_TOLD; i++)
        program_report(reader->program, reader->refusals.items[i].range, "error",
                       "%s is C++ that cannot be read", reader->refusals.items[i].what);
    if (count > REFUSALS_TOLD)
        program_report(reader->program, nowhere, "note", "and %zu places more in this unit",
                       count - REFUSALS_TOLD);
    program_report(reader->program, nowhere, "note",
                   "write these places otherwise, move them into a unit that makes no MPI call, or "
                   "predict the program from small runs of it, which needs no source: `mpiskel "
                   "record` and `mpiskel synthesize`");
}

bool cxx_conclude(struct clang_reader *reader, struct unit *out) {
    bool is_read = reader->refusals.count == 0;
    if (!is_read && cxx_is_separate(reader)) {
        out->stays_whole = is_read = true;
        out->definition_count = out->alias_count = 0;
        out->named = NULL;
    }
    if (!is_read)
        report(reader);
    vec_dispose(&reader->refusals);
    return is_read;
}
