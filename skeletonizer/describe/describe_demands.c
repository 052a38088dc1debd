/* SPDX-License-Identifier: Apache-2.0
 *
 * The log of the slice for reasons.json: each demand with its place, what was demanded in words or
 * source text, why, the demand that raised it, its kind, and a name that helps to read it (an
 * argument's by the MPI standard, what a called function communicates with).
 */
#include "skeletonizer/describe/describe.h"

#include "base/file.h"
#include "base/str.h"
#include "skeletonizer/slice/events.h"
#include "skeletonizer/slice/exits.h"

#include <string.h>

#define LONGEST_TEXT 100

json_t *describe_text(const char *bytes) {
    json_t *value = json_string(bytes);
    return value != NULL ? value : json_string("(not UTF-8)");
}

char *describe_shortened(struct program *program, struct range range) {
    struct str out = {0};
    if (range.file < 0)
        return arena_strdup(&program->arena, "");
    const char *source = program->files.items[range.file]->text + range.begin;
    const char *end = source + (range.end - range.begin);
    bool blank = false;
    for (; source < end && out.length < LONGEST_TEXT; source++) {
        bool space =
            strchr(" \t\r\n", *source) != NULL ||
            (source[0] == '\\' && source + 1 < end && (source[1] == '\n' || source[1] == '\r'));
        if (space && !blank && out.length > 0)
            str_addc(&out, ' ');
        if (!space)
            str_addc(&out, *source);
        blank = space;
    }
    if (source < end)
        str_add(&out, "...");
    return str_into(&program->arena, &out);
}

/* `for (...)` without its body; other conditions are told by their word. */
static char *describe_loop(struct program *program, const struct node *node) {
    const struct ast *ast = node->tree->ast;
    const struct tree *body = node->tree->kids.count > 0 ? node->tree->kids.items[0] : NULL;
    struct range header = ast->range;
    if (ast->kind != AST_DO && !ast->from_macro && body != NULL && !body->ast->from_macro &&
        body->ast->range.file == header.file && body->ast->range.begin > header.begin) {
        header.end = body->ast->range.begin;
        char *text = describe_shortened(program, header);
        size_t length = strlen(text);
        if (length > 0 && text[length - 1] == ' ')
            text[length - 1] = '\0';
        return text;
    }
    return arena_printf(&program->arena, "%s (%s)", ast->kind == AST_FOR ? "for" : "while",
                        describe_shortened(program, node->range));
}

char *describe_node(struct program *program, const struct node *node) {
    const struct tree *tree = node->tree;
    if (node->kind == NODE_LOOP && tree != NULL)
        return describe_loop(program, node);
    char *text = describe_shortened(program, node->range);
    if (node->kind == NODE_CONDITION)
        return arena_printf(&program->arena, "if (%s)", text);
    if (node->kind == NODE_SWITCH)
        return arena_printf(&program->arena, "switch (%s)", text);
    return text;
}

struct described {
    struct range range;
    int line;
    const char *what, *kind, *name;
};

static const char *location_text(const struct slice *s, int location) {
    struct location where = s->points_to->locations.items[location];
    const struct object *object = s->program->objects.items[where.object];
    const char *name = object->name != NULL ? object->name : "what a call returned";
    if (object->kind == OBJECT_RESULT)
        return arena_printf(&s->program->arena, "the result of %s", name);
    if (object->kind == OBJECT_CALL_RESULT)
        return arena_printf(&s->program->arena, "the value of a call of %s", name);
    return where.offset_bytes == 0
               ? arena_printf(&s->program->arena, "the contents of %s", name)
               : arena_printf(&s->program->arena, "the contents of %s, byte %lld", name,
                              where.offset_bytes);
}

static void locate_object(struct described *out, const struct object *object) {
    if (object->declaration != NULL && object->declaration->name_range.file >= 0) {
        out->range = object->declaration->name_range;
        out->line = object->declaration->line;
    } else if (object->call != NULL) {
        out->range = object->call->ast->range;
        out->line = object->call->ast->line;
    }
}

static void describe_statement(struct described *out, struct program *program,
                               const struct node *node) {
    static const char *const kinds[] = {
        [NODE_LOOP] = "loop",        [NODE_CONDITION] = "condition", [NODE_SWITCH] = "condition",
        [NODE_JUMP] = "jump",        [NODE_RETURN] = "jump",         [NODE_DECLARE] = "statement",
        [NODE_UNKNOWN] = "statement"};
    bool named = (size_t)node->kind < sizeof kinds / sizeof *kinds && kinds[node->kind] != NULL;
    out->kind = named ? kinds[node->kind] : "statement";
    out->range = node->range;
    out->line = node->line;
    out->what = describe_node(program, node);
}

static int rank_of(const struct call *call) {
    return call == NULL ? 0 : exits_program(call) ? 2 : call->mpi != NULL ? 3 : 1;
}

/* The first one of the highest rank that is made in the function, or in what it calls. */
static const struct call *criterion_in(const struct slice *s, const struct function *function) {
    const struct program *program = s->program;
    const struct call *best = NULL;
    int *known = &s->criteria[function->id];
    for (size_t i = 0; *known == 0 && i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (rank_of(call) > rank_of(best) && call->targets.count == 0 &&
            call->node->function != NULL && slice_is_criterion(s, call) &&
            slice_may_run(s, function, call->node->function))
            best = call;
    }
    if (*known == 0)
        *known = best != NULL ? best->id + 1 : -1;
    return *known > 0 ? program->calls.items[*known - 1] : NULL;
}

static const struct call *better(const struct call *one, const struct call *other) {
    if (rank_of(one) != rank_of(other))
        return rank_of(one) > rank_of(other) ? one : other;
    return one == NULL || one->id < other->id ? one : other;
}

const struct call *describe_criterion(const struct slice *s, const struct call *call) {
    const struct call *best = NULL;
    for (size_t i = 0; i < call->targets.count; i++)
        best = better(best, criterion_in(s, call->targets.items[i]));
    for (size_t i = 0; i < call->callbacks.count; i++)
        best = better(best, criterion_in(s, call->callbacks.items[i]));
    return best;
}

static const char *call_detail(const struct slice *s, const struct call *call) {
    const struct call *criterion = describe_criterion(s, call);
    if (criterion == NULL)
        return "";
    const char *path = s->program->files.items[criterion->ast->range.file]->path;
    return arena_printf(&s->program->arena, "%s%s at %s:%d",
                        exits_program(criterion) ? "the end of the program by " : "",
                        criterion->name != NULL ? criterion->name : "a call through a pointer",
                        program_relative(s->program, path), criterion->ast->line);
}

static const char *argument_name(struct program *program, const struct call *call, int index) {
    const char *name = NULL;
    if (call->mpi != NULL && index < call->mpi->parameter_count)
        name = call->mpi->parameters[index].name;
    if (call->targets.count == 1 && (size_t)index < call->targets.items[0]->parameters.count)
        name = call->targets.items[0]->parameters.items[index]->name;
    return name != NULL && *name != '\0' ? name : arena_printf(&program->arena, "%d", index + 1);
}

static void describe_call(struct described *out, const struct slice *s, const struct demand *demand,
                          const char *kind) {
    const struct call *call = s->program->calls.items[demand->subject];
    bool argument = demand->kind == DEMAND_ARGUMENT;
    const struct ast *ast = argument ? call->arguments.items[demand->detail].ast : call->ast;
    out->kind = kind;
    out->range = ast->range;
    out->line = ast->line;
    if (argument)
        out->name = argument_name(s->program, call, demand->detail);
    else if (demand->kind == DEMAND_CALL && demand->parent < 0)
        out->name = call_detail(s, call);
}

static bool points_at(struct points_to *points_to, const struct argument *argument, int location) {
    bool found = false;
    for (int whole = 0; argument->value >= 0 && whole < 2 && !found; whole++) {
        int_list locations = {0};
        struct lvalue lvalue = events_pointee(argument, CLASS_ANY);
        if (whole)
            lvalue.length_bytes = 0;
        points_to_locations(points_to, lvalue, &locations);
        found = vec_has(&locations, location);
        vec_dispose(&locations);
    }
    return found;
}

/* Contents that a call without source reads: through which argument. */
static const char *pointer_name(const struct slice *s, const struct demand *demand) {
    const struct demand *parent = demand->parent >= 0 ? &s->demands.items[demand->parent] : NULL;
    bool of_call = parent != NULL &&
                   (parent->kind == DEMAND_CALL || parent->kind == DEMAND_PAYLOAD) &&
                   s->program->calls.items[parent->subject]->targets.count == 0;
    const struct call *call = of_call ? s->program->calls.items[parent->subject] : NULL;
    for (size_t i = 0; of_call && i < call->arguments.count; i++)
        if (points_at(s->points_to, &call->arguments.items[i], demand->subject))
            return argument_name(s->program, call, (int)i);
    return "";
}

static struct described describe(const struct slice *s, const struct demand *demand) {
    struct program *program = s->program;
    struct described out = {.range = {-1, 0, 0}, .name = ""};
    switch (demand->kind) {
    case DEMAND_NODE:
    case DEMAND_JUMP:
        describe_statement(&out, program, program->nodes.items[demand->subject]);
        break;
    case DEMAND_CALL:
        describe_call(&out, s, demand, "call");
        break;
    case DEMAND_VALUE:
        describe_call(&out, s, demand, "value");
        break;
    case DEMAND_PAYLOAD:
        describe_call(&out, s, demand, "payload");
        break;
    case DEMAND_DEVICE:
        describe_call(&out, s, demand, "device");
        break;
    case DEMAND_ARGUMENT:
        describe_call(&out, s, demand, "argument");
        break;
    case DEMAND_PLACE:
        out.kind = "contents";
        out.what = location_text(s, demand->subject);
        out.name = pointer_name(s, demand);
        locate_object(
            &out, program->objects.items[s->points_to->locations.items[demand->subject].object]);
        break;
    case DEMAND_PARAMETER: {
        const struct function *function = program->functions.items[demand->subject];
        out.kind = "parameter";
        out.name = function->parameters.items[demand->detail]->name;
        out.what = arena_printf(&program->arena, "parameter %s of %s", out.name, function->name);
        break;
    }
    case DEMAND_CHAIN:
        out.kind = "calls";
        out.what = arena_printf(&program->arena, "calls of %s",
                                program->functions.items[demand->subject]->name);
        break;
    case DEMAND_DECLARE:
        out.kind = "declaration";
        out.what = arena_printf(&program->arena, "the declaration of %s",
                                program->objects.items[demand->subject]->name);
        locate_object(&out, program->objects.items[demand->subject]);
        break;
    }
    if (out.what == NULL)
        out.what = describe_shortened(program, out.range);
    return out;
}

json_t *describe_demand(const struct slice *s, int index) {
    const struct demand *demand = &s->demands.items[index];
    struct described d = describe(s, demand);
    int end = d.line, column;
    if (d.range.file >= 0 && d.range.end > d.range.begin) {
        struct range last = {d.range.file, d.range.end - 1, d.range.end};
        program_position(s->program, last, &end, &column);
    }
    bool statement =
        demand->kind == DEMAND_NODE || demand->kind == DEMAND_JUMP || demand->kind == DEMAND_CALL;
    return json_pack("[i, i, i, o, s, i, b, s, o]", d.range.file, d.line, end,
                     describe_text(d.what), demand->why, demand->parent, (int)statement, d.kind,
                     describe_text(d.name != NULL ? d.name : ""));
}
