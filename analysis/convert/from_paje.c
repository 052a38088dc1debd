/* SPDX-License-Identifier: Apache-2.0
 *
 * Paje as a trace (L. M. Schnorr, "The Paje trace file format", 2014), as SMPI and others write it:
 * containers that have states are ranks, states are events, links are messages. The file is gone
 * through twice: first for ranks and for the two ends of each link, which its key joins.
 *
 * A state within another one interrupts it. Not taken along: variables, events without duration,
 * colours.
 */
#include "analysis/convert/conversion.h"
#include "analysis/convert/import_target.h"
#include "analysis/convert/paje_lines.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/hash_table.h"
#include "base/vec.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct paje_container {
    const char *name;
    int32_t rank; /* -1: it has no states so far */
};

struct paje_state {
    const char *value;
    int64_t begin_ns;
};

struct paje_rank {
    VEC(struct paje_state) stack;
    VEC(struct trace_event) ends; /* of messages, for the event that ends next */
};

/* An end of a link, for its other one: those with the same key follow each other. */
struct paje_link {
    const struct paje_container *from, *to; /* NULL: not seen, or none that has states */
    int64_t bytes;
};

struct paje_links {
    VEC(struct paje_link) of;
    size_t starts, ends;
};

struct reading_paje {
    struct import_target *target;
    struct paje_lines lines;
    struct arena arena;                          /* containers */
    struct hash_table containers, values, links; /* by alias and by name; by alias; by key */
    VEC(struct paje_rank) ranks;
    int32_t rank_count;
    bool is_writing;
    struct error *error;
};

/* ---- Fields ---- */

static const char *field(const struct reading_paje *of, const char *name) {
    return paje_lines_field(&of->lines, name);
}

static int fail(const struct reading_paje *of, const char *what) {
    return paje_lines_fail(&of->lines, what, of->error);
}

static int read_time(int64_t *out, const struct reading_paje *of) {
    const char *text = field(of, "Time");
    char *end = NULL;
    double seconds = text != NULL ? strtod(text, &end) : 0;
    if (text == NULL || end == text || *end != '\0' || !isfinite(seconds) || fabs(seconds) > 9e9)
        return fail(of, "this event has no time in seconds");
    if (seconds < 0)
        return fail(of, "this event has a negative time; count from the begin of the run");
    *out = llround(seconds * 1e9);
    return 0;
}

static struct paje_container *container(const struct reading_paje *of, const char *name) {
    struct paje_container **found =
        name != NULL ? hash_table_find_text(&of->containers, name) : NULL;
    return found != NULL ? *found : NULL;
}

/* -1: the container has no states. */
static int32_t rank_of(const struct reading_paje *of, const char *name) {
    const struct paje_container *one = container(of, name);
    return one != NULL ? one->rank : -1;
}

/* ---- Definitions ---- */

static void name_container(struct reading_paje *of, const char *key, struct paje_container *one) {
    struct paje_container **place =
        key != NULL ? hash_table_add_text(&of->containers, key, sizeof *place) : NULL;
    if (place != NULL)
        *place = one;
}

static void create_container(struct reading_paje *of) {
    const char *alias = field(of, "Alias"), *name = field(of, "Name");
    if (of->is_writing || (alias == NULL && name == NULL))
        return;
    struct paje_container *one = ARENA_NEW(&of->arena, struct paje_container);
    one->name = arena_strdup(&of->arena, name != NULL ? name : alias);
    one->rank = -1;
    name_container(of, name, one);
    name_container(of, alias, one);
}

static void define_value(struct reading_paje *of) {
    const char *alias = field(of, "Alias"), *name = field(of, "Name");
    if (of->is_writing || alias == NULL || name == NULL)
        return;
    char **place = hash_table_add_text(&of->values, alias, sizeof *place);
    free(*place);
    *place = xstrdup(name);
}

/* ---- Links ---- */

static struct paje_links *links_of(struct reading_paje *of) {
    const char *key = field(of, "Key");
    return key != NULL ? hash_table_add_text(&of->links, key, sizeof(struct paje_links)) : NULL;
}

static struct paje_link *link_at(struct paje_links *links, size_t index) {
    struct paje_link none = {0};
    while (links->of.count <= index)
        vec_push(&links->of, none);
    return &links->of.items[index];
}

static void put_end(struct reading_paje *of, const struct paje_link *link, bool is_start,
                    int64_t now_ns) {
    int32_t rank = is_start ? link->from->rank : link->to->rank;
    int32_t peer = is_start ? link->to->rank : link->from->rank;
    struct trace_event event = trace_event_of(rank, 0, now_ns, now_ns);
    import_target_message(of->target, &event, is_start ? TRACE_SENDS : TRACE_RECEIVES, peer, 0,
                          link->bytes, -1);
    vec_push(&of->ranks.items[rank].ends, event);
}

static int take_link(struct reading_paje *of, bool is_start) {
    struct paje_links *links = links_of(of);
    const char *at = field(of, is_start ? "StartContainer" : "EndContainer");
    const char *bytes = field(of, "Size");
    int64_t now_ns;
    if (links == NULL || read_time(&now_ns, of) != 0)
        return links == NULL ? fail(of, "this link has no key") : -1;
    struct paje_link *link = link_at(links, is_start ? links->starts++ : links->ends++);
    if (of->is_writing) {
        if (link->from != NULL && link->to != NULL && link->from->rank >= 0 && link->to->rank >= 0)
            put_end(of, link, is_start, now_ns);
        return 0;
    }
    *(is_start ? &link->from : &link->to) = container(of, at);
    double size = bytes != NULL ? strtod(bytes, NULL) : 0;
    if (size > 0 && size < 9e18)
        link->bytes = (int64_t)size;
    return 0;
}

/* ---- States ---- */

static bool is_call(const char *name) {
    return strncmp(name, "MPI_", 4) == 0;
}

/* PMPI_Send is how SMPI calls it. */
static const char *name_of(const struct reading_paje *of, const char *value) {
    char **found = hash_table_find_text(&of->values, value);
    const char *name = found != NULL ? *found : value;
    return name[0] == 'P' && is_call(name + 1) ? name + 1 : name;
}

static int put_piece(struct reading_paje *of, int32_t rank, int64_t now_ns, bool is_left) {
    struct paje_rank *one = &of->ranks.items[rank];
    struct paje_state *top = &one->stack.items[one->stack.count - 1];
    const char *name = name_of(of, top->value);
    int kind = is_call(name) ? TRACE_CALL : TRACE_REGION;
    if (now_ns < top->begin_ns)
        return fail(of, "this event is earlier than the one before it in its container; sort the "
                        "trace by time, and correct clocks that ran backwards");
    struct trace_event event = trace_event_of(
        rank, import_target_site(of->target, kind, name, "", 0), top->begin_ns, now_ns);
    if (!is_left && now_ns == top->begin_ns)
        return 0;
    event.kind = (uint8_t)kind;
    size_t count = one->ends.count;
    one->ends.count = 0;
    return import_target_add_ends(of->target, &event, one->ends.items, count, of->error);
}

static void push_state(struct reading_paje *of, int32_t rank, int64_t now_ns) {
    const char *value = field(of, "Value");
    struct paje_state state = {xstrdup(value != NULL ? value : "state"), now_ns};
    vec_push(&of->ranks.items[rank].stack, state);
}

static void pop_state(struct paje_rank *rank, int64_t now_ns) {
    free((char *)rank->stack.items[--rank->stack.count].value);
    if (rank->stack.count > 0)
        rank->stack.items[rank->stack.count - 1].begin_ns = now_ns;
}

static int end_state(struct reading_paje *of, int32_t rank, int64_t now_ns) {
    struct paje_rank *one = &of->ranks.items[rank];
    if (one->stack.count == 0)
        return fail(of, "a state ends that did not begin");
    int result = put_piece(of, rank, now_ns, true);
    pop_state(one, now_ns);
    return result;
}

/* In the first pass it is found who has states. */
static int take_state(struct reading_paje *of, const char *what) {
    struct paje_container *at = container(of, field(of, "Container"));
    int64_t now_ns;
    if (at == NULL)
        return fail(of, "this event is of a container that was not created");
    if (read_time(&now_ns, of) != 0)
        return -1;
    if (!of->is_writing) {
        if (at->rank < 0)
            at->rank = of->rank_count++;
        return 0;
    }
    if (at->rank < 0)
        return fail(of,
                    "its container was created again later; give containers names of their own");
    struct paje_rank *rank = &of->ranks.items[at->rank];
    if (strcmp(what, "PajePopState") == 0)
        return end_state(of, at->rank, now_ns);
    if (strcmp(what, "PajeSetState") == 0 && rank->stack.count > 0 &&
        end_state(of, at->rank, now_ns) != 0)
        return -1;
    if (rank->stack.count > 0 && put_piece(of, at->rank, now_ns, false) != 0)
        return -1;
    push_state(of, at->rank, now_ns);
    return 0;
}

/* Nobody ends what is set, but the end of its container. */
static int destroy_container(struct reading_paje *of) {
    int64_t now_ns;
    int32_t rank = rank_of(of, field(of, "Name"));
    int result = 0;
    if (!of->is_writing || rank < 0)
        return 0;
    if (read_time(&now_ns, of) != 0)
        return -1;
    while (result == 0 && of->ranks.items[rank].stack.count > 0)
        result = end_state(of, rank, now_ns);
    return result;
}

/* ---- All ---- */

static int take_event(struct reading_paje *of) {
    const char *what = of->lines.event;
    if (strcmp(what, "PajeCreateContainer") == 0)
        create_container(of);
    else if (strcmp(what, "PajeDefineEntityValue") == 0)
        define_value(of);
    else if (strcmp(what, "PajeStartLink") == 0 || strcmp(what, "PajeEndLink") == 0)
        return take_link(of, strcmp(what, "PajeStartLink") == 0);
    else if (strcmp(what, "PajeDestroyContainer") == 0)
        return destroy_container(of);
    else if (strcmp(what, "PajePushState") == 0 || strcmp(what, "PajePopState") == 0 ||
             strcmp(what, "PajeSetState") == 0)
        return take_state(of, what);
    return 0;
}

static int go_through(struct reading_paje *of, char *text, const char *path) {
    int result;
    paje_lines_start(&of->lines, text, path);
    while ((result = paje_lines_next(&of->lines, of->error)) == 1)
        if (take_event(of) != 0)
            return -1;
    return result;
}

/* -1: the name ends without a number. */
static long last_number(const char *name) {
    const char *end = name + strlen(name);
    while (end > name && isdigit((unsigned char)end[-1]))
        end--;
    return *end != '\0' && strlen(end) < 9 ? strtol(end, NULL, 10) : -1;
}

/* rank-12: the numbers at the ends of names, if they are 0, 1, 2...; else the order of states. */
static void number_ranks(struct reading_paje *of) {
    struct paje_container **by_number = xmalloc((size_t)of->rank_count * sizeof *by_number);
    memset(by_number, 0, (size_t)of->rank_count * sizeof *by_number);
    bool fits = true;
    for (struct paje_container **at = hash_table_first(&of->containers); at != NULL;
         at = hash_table_next(at)) {
        long number = last_number((*at)->name);
        if ((*at)->rank < 0)
            continue;
        bool is_place = number >= 0 && number < of->rank_count;
        fits &= is_place && (by_number[number] == NULL || by_number[number] == *at);
        if (is_place)
            by_number[number] = *at;
    }
    for (int32_t i = 0; i < of->rank_count; i++)
        fits &= by_number[i] != NULL; /* or a name was created twice */
    for (int32_t i = 0; i < of->rank_count && fits; i++)
        by_number[i]->rank = i;
    free(by_number);
}

static void dispose(struct reading_paje *of) {
    for (char **at = hash_table_first(&of->values); at != NULL; at = hash_table_next(at))
        free(*at);
    for (struct paje_links *at = hash_table_first(&of->links); at != NULL; at = hash_table_next(at))
        vec_dispose(&at->of);
    for (size_t i = 0; i < of->ranks.count; i++) {
        while (of->ranks.items[i].stack.count > 0)
            pop_state(&of->ranks.items[i], 0);
        vec_dispose(&of->ranks.items[i].stack);
        vec_dispose(&of->ranks.items[i].ends);
    }
    vec_dispose(&of->ranks);
    hash_table_dispose(&of->containers);
    arena_dispose(&of->arena);
    hash_table_dispose(&of->values);
    hash_table_dispose(&of->links);
    paje_lines_dispose(&of->lines);
}

static int read_twice(struct reading_paje *of, char *text, const char *path) {
    struct paje_rank none = {0};
    if (go_through(of, text, path) != 0)
        return -1;
    if (of->rank_count == 0)
        return error_set(of->error, "%s:1:1: error: no container of this file has states", path);
    number_ranks(of);
    for (int32_t i = 0; i < of->rank_count; i++)
        vec_push(&of->ranks, none);
    for (struct paje_links *at = hash_table_first(&of->links); at != NULL; at = hash_table_next(at))
        at->starts = at->ends = 0;
    of->is_writing = true;
    if (import_target_open(of->target, of->rank_count, "paje", of->error) != 0)
        return -1;
    return go_through(of, text, path);
}

int from_paje(struct import_target *target, const char *path, struct error *error) {
    struct reading_paje of = {.target = target, .error = error};
    char *text = NULL;
    if (file_read(&text, NULL, path, error) != 0)
        return -1;
    int result = read_twice(&of, text, path);
    dispose(&of);
    free(text);
    return result;
}
