/* SPDX-License-Identifier: Apache-2.0
 *
 * SMPI's time-independent actions as a trace: each line is a rank (12, or p12), an action and its
 * numbers. What has no time gets none: computation takes what it would on a processor with 1 Gf,
 * and communication nothing, so that only order, messages and bytes mean anything.
 */
#include "analysis/convert/conversion.h"
#include "analysis/convert/import_target.h"
#include "base/file.h"
#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 8
#define NS_PER_FLOP 1
#define BYTES_OF_OLD_TYPE 8 /* sizes without a datatype count doubles */

struct action {
    int32_t rank;
    const char *name;
    double numbers[WORDS];
    int count;
};

struct action_posted {
    int32_t rank, peer, tag;
    int64_t bytes;
};

struct reading_actions {
    struct import_target *target;
    const char *path;
    int line;
    VEC(int64_t) now_ns; /* by rank */
    VEC(uint64_t) collectives;
    VEC(struct action_posted) posted; /* receives that are open */
    struct error *error;
};

static int fail(const struct reading_actions *of, const char *what) {
    return error_set(of->error, "%s:%d:1: error: %s", of->path, of->line, what);
}

/* ---- Lines ---- */

static bool read_number(double *out, const char *word) {
    char *end;
    *out = strtod(word, &end);
    return end != word && *end == '\0' && isfinite(*out);
}

/* 1: an action; 0: an empty line; -1: neither. The line is changed. */
static int read_action(struct action *out, char *line) {
    char *rest, *word = strtok_r(line, " \t\r", &rest);
    double number;
    *out = (struct action){0};
    if (word == NULL || word[0] == '#')
        return 0;
    if (!read_number(&number, word + (word[0] == 'p')) || number < 0 ||
        number >= TRACE_MOST_RANKS || floor(number) != number)
        return -1;
    out->rank = (int32_t)number;
    out->name = strtok_r(NULL, " \t\r", &rest);
    if (out->name == NULL)
        return -1;
    while ((word = strtok_r(NULL, " \t\r", &rest)) != NULL && out->count < WORDS)
        if (!read_number(&out->numbers[out->count++], word))
            return -1;
    return 1;
}

static int each_line(struct reading_actions *of, const char *text,
                     int (*take)(struct reading_actions *of, struct action *action)) {
    char *copy = xstrdup(text), *rest = copy;
    int result = 0;
    of->line = 0;
    for (char *line; result == 0 && (line = strsep(&rest, "\n")) != NULL;) {
        struct action action;
        of->line++;
        int is_action = read_action(&action, line);
        if (is_action < 0)
            result = fail(of, "an action is a rank, a name and numbers, as in `0 send 1 0 1024`");
        else if (is_action > 0)
            result = take(of, &action);
    }
    free(copy);
    return result;
}

/* ---- Actions ---- */

static int find_ranks(struct reading_actions *of, struct action *action) {
    if (action->rank >= of->target->ranks)
        of->target->ranks = action->rank + 1;
    return 0;
}

static double number(const struct action *action, int index, double otherwise) {
    return index < action->count ? action->numbers[index] : otherwise;
}

static bool is_rank(const struct reading_actions *of, double value) {
    return value >= 0 && value < of->target->ranks && floor(value) == value;
}

static int32_t tag_of(const struct action *action) {
    double tag = number(action, 1, 0);
    return tag >= 0 && tag <= INT32_MAX ? (int32_t)tag : 0;
}

/* With a datatype, of its elements: of bytes and chars one, of ints and floats four, else eight. */
static int64_t bytes_of(double count, double datatype) {
    int size = datatype < 0                     ? BYTES_OF_OLD_TYPE
               : datatype == 2 || datatype == 6 ? 1
               : datatype == 1 || datatype == 5 ? 4
               : datatype == 3                  ? 2
                                                : 8;
    double bytes = count * size;
    return bytes >= 0 && bytes < 9e18 ? (int64_t)bytes : 0;
}

struct action_name {
    const char *name, *function;
    int root, datatype; /* which numbers; -1: none */
};

static const struct action_name collectives[] = {
    {"barrier", "MPI_Barrier", -1, -1},
    {"bcast", "MPI_Bcast", 1, 2},
    {"reduce", "MPI_Reduce", 2, 3},
    {"allreduce", "MPI_Allreduce", -1, 2},
    {"alltoall", "MPI_Alltoall", -1, 2},
    {"alltoallv", "MPI_Alltoallv", -1, -1},
    {"gather", "MPI_Gather", 2, 3},
    {"gatherv", "MPI_Gatherv", -1, -1},
    {"scatter", "MPI_Scatter", 2, 3},
    {"scatterv", "MPI_Scatterv", -1, -1},
    {"allgather", "MPI_Allgather", -1, 2},
    {"allgatherv", "MPI_Allgatherv", -1, -1},
    {"reducescatter", "MPI_Reduce_scatter", -1, -1},
    {"scan", "MPI_Scan", -1, -1},
    {"exscan", "MPI_Exscan", -1, -1},
};

static struct trace_event begin(struct reading_actions *of, const struct action *action, int kind,
                                const char *function, int64_t ns) {
    int64_t *now_ns = &of->now_ns.items[action->rank];
    uint32_t site = import_target_site(of->target, kind, function, of->path, 0);
    struct trace_event event = trace_event_of(action->rank, site, *now_ns, *now_ns + ns);
    event.kind = (uint8_t)kind;
    *now_ns += ns;
    return event;
}

static int add(struct reading_actions *of, const struct trace_event *event) {
    return import_target_add(of->target, event, of->error);
}

static int take_message(struct reading_actions *of, const struct action *action, int direction,
                        const char *function) {
    if (!is_rank(of, number(action, 0, -1)))
        return fail(of,
                    "the first number of a message is the other rank, one of those in the file");
    struct trace_event event = begin(of, action, TRACE_CALL, function, 0);
    import_target_message(of->target, &event, direction, (int32_t)action->numbers[0],
                          tag_of(action), bytes_of(number(action, 2, 0), number(action, 3, -1)),
                          -1);
    return add(of, &event);
}

static int take_irecv(struct reading_actions *of, const struct action *action) {
    if (!is_rank(of, number(action, 0, -1)))
        return fail(of, "a receive from any rank cannot be replayed; name the sender");
    struct trace_event event = begin(of, action, TRACE_CALL, "MPI_Irecv", 0);
    struct action_posted posted = {action->rank, (int32_t)action->numbers[0], tag_of(action),
                                   bytes_of(number(action, 2, 0), number(action, 3, -1))};
    event.peer = posted.peer;
    event.tag = posted.tag;
    event.bytes = posted.bytes;
    event.communicator = of->target->world;
    vec_push(&of->posted, posted);
    return add(of, &event);
}

/* Those of the rank that are open, or the first one from `peer`; each is a message that came. */
static int take_wait(struct reading_actions *of, const struct action *action, bool all) {
    struct trace_event event = begin(of, action, TRACE_CALL, all ? "MPI_Waitall" : "MPI_Wait", 0);
    size_t kept = 0;
    bool taken = false, names_peer = action->count >= 3;
    int result = 0;
    for (size_t i = 0; i < of->posted.count; i++) {
        struct action_posted one = of->posted.items[i];
        bool is_first = !taken && (!names_peer || (double)one.peer == action->numbers[0]);
        bool ends = one.rank == action->rank && (all || is_first);
        if (!ends || result != 0) {
            of->posted.items[kept++] = one;
            continue;
        }
        event.kind = taken ? TRACE_PART : TRACE_CALL;
        import_target_message(of->target, &event, TRACE_RECEIVES, one.peer, one.tag, one.bytes, -1);
        taken = true;
        result = add(of, &event);
    }
    of->posted.count = kept;
    return taken ? result : add(of, &event);
}

static int take_compute(struct reading_actions *of, const struct action *action) {
    double ns = number(action, 0, 0) * NS_PER_FLOP;
    if (!(ns >= 0) || ns > 9e17)
        return fail(of, "computation is a number of operations from 0 on");
    struct trace_event event = begin(of, action, TRACE_REGION, "compute", (int64_t)ns);
    return add(of, &event);
}

static int take_collective(struct reading_actions *of, const struct action *action,
                           const struct action_name *name) {
    struct trace_event event = begin(of, action, TRACE_CALL, name->function, 0);
    double root = name->root >= 0 ? number(action, name->root, 0) : -1;
    event.number = ++of->collectives.items[action->rank];
    event.collective = 1;
    event.communicator = of->target->world;
    event.root = is_rank(of, root) ? (int32_t)root : TRACE_NONE;
    event.bytes = bytes_of(number(action, 0, 0),
                           name->datatype >= 0 ? number(action, name->datatype, -1) : -1);
    return add(of, &event);
}

static int take_named(struct reading_actions *of, const struct action *action) {
    static const char *const others[][2] = {{"init", "MPI_Init"},
                                            {"finalize", "MPI_Finalize"},
                                            {"comm_size", "MPI_Comm_size"},
                                            {"comm_split", "MPI_Comm_split"},
                                            {"comm_dup", "MPI_Comm_dup"},
                                            {"test", "MPI_Test"},
                                            {"sleep", "sleep"},
                                            {"location", "location"}};
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
        if (strcmp(action->name, collectives[i].name) == 0)
            return take_collective(of, action, &collectives[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(action->name, others[i][0]) == 0) {
            struct trace_event event = begin(of, action, TRACE_CALL, others[i][1], 0);
            return add(of, &event);
        }
    return fail(of, "this is none of SMPI's actions");
}

static int take_action(struct reading_actions *of, struct action *action) {
    const char *name = action->name;
    if (strcmp(name, "compute") == 0)
        return take_compute(of, action);
    if (strcmp(name, "send") == 0)
        return take_message(of, action, TRACE_SENDS, "MPI_Send");
    if (strcasecmp(name, "isend") == 0)
        return take_message(of, action, TRACE_SENDS, "MPI_Isend");
    if (strcmp(name, "recv") == 0)
        return take_message(of, action, TRACE_RECEIVES, "MPI_Recv");
    if (strcasecmp(name, "irecv") == 0)
        return take_irecv(of, action);
    if (strcmp(name, "wait") == 0 || strcasecmp(name, "waitall") == 0)
        return take_wait(of, action, strcmp(name, "wait") != 0);
    return take_named(of, action);
}

int from_smpi(struct import_target *target, const char *path, struct error *error) {
    struct reading_actions of = {.target = target, .path = path, .error = error};
    char *text = NULL;
    if (file_read(&text, NULL, path, error) != 0)
        return -1;
    int result = each_line(&of, text, find_ranks);
    if (result == 0 && target->ranks == 0)
        result = error_set(error, "%s:1:1: error: there are no actions in this file", path);
    if (result == 0)
        result = import_target_open(target, target->ranks, "smpi", error);
    for (int32_t i = 0; i < target->ranks && result == 0; i++) {
        vec_push(&of.now_ns, 0);
        vec_push(&of.collectives, 0);
    }
    if (result == 0)
        result = each_line(&of, text, take_action);
    vec_dispose(&of.now_ns);
    vec_dispose(&of.collectives);
    vec_dispose(&of.posted);
    free(text);
    return result;
}
