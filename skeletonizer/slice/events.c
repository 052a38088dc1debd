/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists for each object what writes it: assignments, copies, parameters, libraries by their rows,
 * MPI by the roles of its arguments. RMA is not modelled: its payloads count as read and written by
 * the call itself, so all of it is kept.
 */
#include "skeletonizer/slice/events.h"

#include "base/str.h"
#include "skeletonizer/slice/call_argument.h"

#include <string.h>

static struct event_list *list_of(struct slice *s, int object) {
    while (s->events.count <= (size_t)object)
        vec_push(&s->events, (struct event_list *)NULL);
    if (s->events.items[object] == NULL)
        s->events.items[object] = ARENA_NEW(&s->arena, struct event_list);
    return s->events.items[object];
}

static void add_event(struct slice *s, struct lvalue lvalue, struct event event) {
    struct event_at at = {.event = NULL, .class = lvalue.class};
    int_list locations = {0};
    points_to_locations(s->points_to, lvalue, &locations);
    for (size_t i = 0; i < locations.count; i++) {
        at.location = locations.items[i];
        int object = s->points_to->locations.items[at.location].object;
        if (s->program->objects.items[object]->kind == OBJECT_STRING)
            continue;
        if (at.event == NULL)
            *(at.event = ARENA_NEW(&s->arena, struct event)) = event;
        vec_push(&list_of(s, object)->items, at);
    }
    vec_dispose(&locations);
}

struct lvalue events_pointee(const struct argument *argument, enum value_class class) {
    struct lvalue lvalue = {.object = -1, .pointer = argument->value, .class = class};
    const struct ast *ast = ast_without_casts(argument->ast);
    if (ast->kind == AST_UNARY && strcmp(ast->op, "&") == 0 && ast->kids[0]->kind != AST_SUBSCRIPT)
        lvalue.length_bytes = ast->kids[0]->type->size_bytes;
    return lvalue;
}

const char *events_handle_of(const struct ast *ast) {
    while (ast->kind == AST_CAST || (ast->kind == AST_UNARY && strcmp(ast->op, "&") == 0))
        ast = ast->kids[ast->kid_count - 1];
    if (ast->kind != AST_REFERENCE)
        return NULL;
    const char *name = ast->name;
    if (text_has_prefix(name, "smpi_"))
        name += strlen("smpi_");
    bool predefined = ast->declaration->static_storage && !ast->declaration->in_project &&
                      text_has_prefix(name, "MPI_");
    return predefined ? name : NULL;
}

const char *events_handle(const struct call *call, int index) {
    const struct ast *ast = program_argument(call, index);
    return ast != NULL ? events_handle_of(ast) : NULL;
}

static enum value_class class_of_datatype(const struct call *call, int payload) {
    const char *name = events_handle(call, mpi_payload_datatype(call->mpi, payload));
    switch (name != NULL ? mpi_datatype_class(name) : MPI_TYPE_UNKNOWN) {
    case MPI_TYPE_INTEGER:
        return CLASS_INTEGER;
    case MPI_TYPE_FLOATING:
        return CLASS_FLOATING;
    default:
        return CLASS_ANY;
    }
}

static bool is_of_class(const struct type *type, enum value_class class) {
    while (type != NULL && type->kind == TYPE_ARRAY)
        type = type->element;
    if (type == NULL || type->kind != TYPE_RECORD)
        return type == NULL || type_class(type) == class;
    for (int i = 0; i < type->field_count; i++)
        if (!is_of_class(type->fields[i].type, class))
            return false;
    return true;
}

/* What the expression points to; NULL: memory of which nothing is known (void, char). */
static const struct type *pointee_of(const struct ast *ast) {
    ast = ast_without_casts(ast);
    const struct type *type = ast != NULL ? ast->type : NULL;
    bool points = type != NULL && (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY);
    const struct type *element = points ? type->element : NULL;
    while (element != NULL && element->kind == TYPE_ARRAY)
        element = element->element;
    return element != NULL && element->kind != TYPE_VOID && element->kind != TYPE_CHARACTER
               ? element
               : NULL;
}

/* By the datatype, unless the program sends something else by it (an `int` as MPI_DOUBLE). */
enum value_class events_payload_class(const struct call *call, int payload) {
    enum value_class class = class_of_datatype(call, payload);
    if (class == CLASS_ANY || is_of_class(pointee_of(program_argument(call, payload)), class))
        return class;
    return CLASS_ANY;
}

static bool is_whole_array(enum mpi_role role) {
    switch (role) {
    case MPI_ROLE_ARRAY_OUT:
    case MPI_ROLE_RAGGED_OUT:
    case MPI_ROLE_INDICES_OUT:
    case MPI_ROLE_STATUSES_OUT:
    case MPI_ROLE_STRING_OUT:
    case MPI_ROLE_ARRAY_INOUT:
    case MPI_ROLE_REQUESTS:
        return true;
    default:
        return false;
    }
}

bool events_is_message(const struct call *call, enum mpi_role role) {
    bool moves = call->mpi->criterion || call->mpi->class == MPI_CLASS_DATATYPE;
    return mpi_role_is_payload(role) && moves && call->mpi->class != MPI_CLASS_RMA &&
           role != MPI_ROLE_BUFFER;
}

int events_next_of_window(const struct slice *s, const struct call *call, int index) {
    if (call->mpi->class != MPI_CLASS_RMA ||
        mpi_call_parameter(call->mpi, MPI_ROLE_ALLOCATION_OUT) < 0)
        return -1;
    for (; (size_t)index < s->program->objects.count; index++)
        if (s->program->objects.items[index]->kind == OBJECT_HEAP &&
            s->program->objects.items[index]->call == call)
            return index;
    return -1;
}

bool events_writes_mpi_file(const struct call *call) {
    return call->mpi != NULL && call->mpi->class == MPI_CLASS_FILE &&
           mpi_call_parameter(call->mpi, MPI_ROLE_PAYLOAD_IN) >= 0;
}

static void mpi_events(struct slice *s, struct call *call) {
    int last = call->mpi->parameter_count - 1;
    for (int i = 0; i <= last && (size_t)i < call->arguments.count; i++) {
        enum mpi_role role = call->mpi->parameters[i].role;
        const struct argument *argument = &call->arguments.items[i];
        if (argument->value >= 0 && call_argument_is_vector(call, i))
            add_event(s, events_pointee(argument, CLASS_ANY),
                      (struct event){.kind = EVENT_SENT, .call = call});
        if (argument->value < 0 || !mpi_role_writes(role))
            continue;
        bool message = events_is_message(call, role);
        struct event event = {.kind = message ? EVENT_PAYLOAD : EVENT_CALL, .call = call};
        struct lvalue lvalue = events_pointee(argument, CLASS_ANY);
        if (mpi_role_is_payload(role)) {
            lvalue.class = events_payload_class(call, i);
            int count = mpi_payload_count(call->mpi, i);
            const struct ast *number = program_argument(call, count);
            bool single = number != NULL && number->has_value && number->value == 1 &&
                          events_handle(call, mpi_payload_datatype(call->mpi, i)) != NULL;
            if (!single)
                lvalue.length_bytes = 0;
        } else if (is_whole_array(role)) {
            lvalue.length_bytes = 0;
        }
        add_event(s, lvalue, event);
    }
    for (int i = -1; (i = events_next_of_window(s, call, i + 1)) >= 0;)
        add_event(s, (struct lvalue){.object = i, .pointer = -1},
                  (struct event){.kind = EVENT_CALL, .call = call});
    if (events_writes_mpi_file(call) && !s->assumptions.files_apart)
        add_event(
            s, (struct lvalue){.object = points_to_state(s->points_to, "files")->id, .pointer = -1},
            (struct event){.kind = EVENT_PAYLOAD, .call = call});
}

/* Is the call told to go beyond so many bytes, or not told by constants how far it goes? */
static bool may_exceed(const struct call *call, long long bytes) {
    const struct extern_function *library = call->library;
    long long product = 0;
    for (int i = 0; i < library->parameter_count && i < (int)call->arguments.count; i++) {
        const char *name = library->parameters[i].name;
        if (name == NULL || (strcmp(name, "bytes") != 0 && strcmp(name, "items") != 0))
            continue;
        const struct ast *ast = ast_without_casts(call->arguments.items[i].ast);
        if (!ast->has_value || ast->value < 0 || ast->value > bytes)
            return true;
        product = product == 0 ? ast->value : product * ast->value;
    }
    return product > bytes;
}

/* `double *` in the prototype: doubles. */
static enum value_class library_class(const struct slice *s, const struct call *call, int index) {
    const struct type *type = call->ast->kids[0]->type;
    if (type->kind == TYPE_POINTER && type->element != NULL)
        type = type->element;
    if (!s->types_tell || index >= type->parameter_count ||
        type->parameters[index]->kind != TYPE_POINTER)
        return CLASS_ANY;
    const struct type *element = type->parameters[index]->element;
    bool number =
        element != NULL && (element->kind == TYPE_INTEGER || element->kind == TYPE_FLOATING);
    return number ? type_class(element) : CLASS_ANY;
}

struct lvalue events_library_pointee(const struct slice *s, const struct call *call, int index) {
    struct lvalue lvalue =
        events_pointee(&call->arguments.items[index], library_class(s, call, index));
    if (lvalue.length_bytes > 0 && may_exceed(call, lvalue.length_bytes))
        lvalue.length_bytes = 0; /* the members behind it, too */
    return lvalue;
}

/* optarg and optind are variables of the library that getopt writes. */
static void state_events(struct slice *s, struct call *call, const char *name) {
    struct event event = {.kind = EVENT_CALL, .call = call};
    struct object *state = points_to_state(s->points_to, name);
    add_event(s, (struct lvalue){.object = state->id, .pointer = -1}, event);
    for (size_t i = 0; strcmp(name, "getopt") == 0 && i < s->program->objects.count; i++) {
        const struct object *object = s->program->objects.items[i];
        if (object->kind == OBJECT_VARIABLE && object->function == NULL &&
            text_has_prefix(object->name, "opt"))
            add_event(s, (struct lvalue){.object = object->id, .pointer = -1}, event);
    }
}

/* What the arguments in a va_list point to: those of any call with more than the parameters. */
static void list_events(struct slice *s, struct event event) {
    int_list targets = {0};
    points_to_stored(s->points_to, s->points_to->variable_arguments->id, &targets);
    for (size_t i = 0; i < targets.count; i++) {
        struct location location = s->points_to->locations.items[targets.items[i]];
        struct lvalue lvalue = {.object = location.object, .pointer = -1, .stride_bytes = 1};
        add_event(s, lvalue, event);
    }
    vec_dispose(&targets);
}

static bool is_terminal(const struct slice *s, const struct argument *stream) {
    const int_list *targets = points_to_targets(s->points_to, stream->value);
    for (size_t i = 0; targets != NULL && i < targets->count; i++) {
        int id = s->points_to->locations.items[targets->items[i]].object;
        const char *name = s->program->objects.items[id]->name;
        if (name == NULL || (strcmp(name, "stdout") != 0 && strcmp(name, "stderr") != 0))
            return false;
    }
    return targets != NULL && targets->count > 0;
}

char events_mode(const struct slice *s, const struct call *call) {
    bool opens =
        call != NULL && call->library != NULL && call->arguments.count == 2 &&
        (strcmp(call->library->name, "fopen") == 0 || strcmp(call->library->name, "fopen64") == 0);
    const struct ast *mode = opens ? ast_without_casts(program_argument(call, 1)) : NULL;
    if (mode == NULL || mode->kind != AST_STRING || mode->from_macro || mode->in_macro_arg)
        return 0;
    const char *text = program_text(s->program, mode->range);
    bool plain = text != NULL && text[0] == '"' && strchr("rwa", text[1]) != NULL;
    return plain && strchr(text, '+') == NULL ? text[1] : 0;
}

/* Not what closes or positions a stream, or asks for its state. */
static bool moves_data(const struct extern_function *library) {
    static const char *const parts[] = {"printf", "scanf", "fput", "putc",    "putw",    "fwrite",
                                        "fread",  "fget",  "getc", "getline", "getdelim"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(library->name, parts[i]) != NULL && strcmp(library->name, "fgetpos") != 0)
            return true;
    return false;
}

/* What a stream to memory has behind it: what its opening was given, and blocks that it made. */
static void add_memory(lvalue_list *out, const struct slice *s, const struct object *stream) {
    const struct call *open = stream->kind == OBJECT_HEAP ? stream->call : NULL;
    if (open == NULL || open->library == NULL || open->library->kind != EXTERN_MEMORY)
        return;
    for (size_t i = 0; i < open->arguments.count; i++)
        if (open->arguments.items[i].value >= 0)
            vec_push(out, ((struct lvalue){.object = -1,
                                           .pointer = open->arguments.items[i].value,
                                           .stride_bytes = 1}));
    for (size_t i = 0; i < s->program->objects.count; i++)
        if (s->program->objects.items[i]->kind == OBJECT_HEAP &&
            s->program->objects.items[i]->call == open)
            vec_push(out, ((struct lvalue){.object = (int)i, .pointer = -1}));
}

void events_add_streams(lvalue_list *out, const struct slice *s, const struct call *call) {
    bool reads = call->library->kind == EXTERN_INPUT, moves = moves_data(call->library);
    const int_list *targets =
        points_to_targets(s->points_to, call->arguments.items[call->library->stream].value);
    for (size_t i = 0; targets != NULL && i < targets->count; i++) {
        const struct object *object =
            s->program->objects.items[s->points_to->locations.items[targets->items[i]].object];
        char mode = events_mode(s, object->kind == OBJECT_HEAP ? object->call : NULL);
        if (mode == 0 || !moves || (mode == 'r') == reads)
            vec_push(out, ((struct lvalue){.object = object->id, .pointer = -1}));
        add_memory(out, s, object);
    }
}

/* What is written to one end of a pipe is read from the other, by this program. */
static bool has_pipes(const struct slice *s) {
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        if (call->library != NULL && call->library->kind == EXTERN_STATE &&
            strcmp(call->library->state, "pipes") == 0 && call->node->function != NULL &&
            call->node->function->is_live)
            return true;
    }
    return false;
}

/* Where a descriptor or a stream is made another one, the terminal's may have been. */
static bool redirects(const struct slice *s) {
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        if (call->library != NULL && call->node->function != NULL &&
            call->node->function->is_live &&
            (text_has_prefix(call->library->name, "freopen") ||
             text_has_prefix(call->library->name, "dup")))
            return true;
    }
    return false;
}

/* What has no stream and cannot fail in errno writes to the terminal. */
bool events_write_file(const struct slice *s, const struct call *call) {
    const struct extern_function *library = call->library;
    if (library == NULL || call->targets.count > 0 || library->kind != EXTERN_OUTPUT)
        return false;
    if (!s->assumptions.files_apart && redirects(s))
        return true;
    if (library->stream >= 0 && (size_t)library->stream < call->arguments.count)
        return !is_terminal(s, &call->arguments.items[library->stream]);
    return library->sets_errno;
}

static void library_events(struct slice *s, struct call *call) {
    const struct extern_function *library = call->library;
    for (size_t i = 0; i < call->arguments.count; i++) {
        const struct argument *argument = &call->arguments.items[i];
        struct extern_parameter parameter = extern_argument(library, (int)i);
        if (argument->value < 0 || !extern_effect_writes(parameter.effect))
            continue;
        bool comes_from_device = parameter.effect == EXTERN_FROM_DEVICE;
        struct event event = {.kind = comes_from_device ? EVENT_DEVICE : EVENT_CALL, .call = call};
        if (parameter.effect == EXTERN_COPY && parameter.other >= 0 &&
            call->arguments.items[parameter.other].value >= 0) {
            event.kind = EVENT_COPY;
            event.from = events_library_pointee(s, call, parameter.other);
        }
        add_event(s, events_library_pointee(s, call, (int)i), event);
        if (parameter.effect == EXTERN_LIST)
            list_events(s, event);
    }
    bool moves_on = library->kind == EXTERN_INPUT || library->kind == EXTERN_OUTPUT;
    if (moves_on && library->stream >= 0 && (size_t)library->stream < call->arguments.count) {
        lvalue_list streams = {0};
        events_add_streams(&streams, s, call);
        for (size_t i = 0; i < streams.count; i++)
            add_event(s, streams.items[i], (struct event){.kind = EVENT_CALL, .call = call});
        vec_dispose(&streams);
    }
    if (events_write_file(s, call) &&
        (!s->assumptions.files_apart || (library->stream < 0 && has_pipes(s))))
        state_events(s, call, "files");
    if (library->sets_errno)
        state_events(s, call, "__errno_location");
    if (library->kind == EXTERN_STATE)
        state_events(s, call, library->state);
    if (library->result == EXTERN_RETURNS_COPY && library->result_argument >= 0) {
        struct lvalue lvalue = {.object = -1, .pointer = call->value};
        struct event event = {.kind = EVENT_COPY, .call = call};
        event.from = events_pointee(&call->arguments.items[library->result_argument], CLASS_ANY);
        add_event(s, lvalue, event);
    }
}

static void unknown_events(struct slice *s, struct call *call) {
    for (size_t i = 0; i < call->arguments.count; i++) {
        const struct argument *argument = &call->arguments.items[i];
        struct lvalue lvalue = {.object = -1, .pointer = argument->value, .stride_bytes = 1};
        if (argument->value >= 0)
            add_event(s, lvalue, (struct event){.kind = EVENT_CALL, .call = call});
    }
    struct lvalue outside = {.object = s->points_to->outside->id, .pointer = -1};
    add_event(s, outside, (struct event){.kind = EVENT_CALL, .call = call});
}

static void call_events(struct slice *s, struct call *call) {
    struct lvalue result = {.object = call->result->id, .pointer = -1};
    add_event(s, result, (struct event){.kind = EVENT_RESULT, .call = call});
    if (call->targets.count > 0 || call->never_made)
        return;
    if (call->mpi != NULL)
        mpi_events(s, call);
    else if (call->library != NULL)
        library_events(s, call);
    else
        unknown_events(s, call);
}

static void node_events(struct slice *s, struct node *node) {
    for (size_t i = 0; i < node->defines.count; i++)
        add_event(s, node->defines.items[i], (struct event){.kind = EVENT_NODE, .node = node});
    for (size_t i = 0; i < node->moves.count; i++) {
        struct event event = {.kind = EVENT_MOVE, .node = node, .from = node->moves.items[i].from};
        add_event(s, node->moves.items[i].to, event);
    }
}

/* What a function that cannot be reached from main writes is never written. */
static bool is_executed(const struct node *node) {
    return node->function == NULL || node->function->is_live;
}

void events_compute(struct slice *s) {
    for (size_t i = 0; i < s->program->nodes.count; i++)
        if (is_executed(s->program->nodes.items[i]))
            node_events(s, s->program->nodes.items[i]);
    for (size_t i = 0; i < s->program->calls.count; i++)
        if (is_executed(s->program->calls.items[i]->node))
            call_events(s, s->program->calls.items[i]);
    for (size_t i = 0; i < s->program->functions.count; i++) {
        struct function *function = s->program->functions.items[i];
        for (size_t k = 0; k < function->parameters.count; k++) {
            struct lvalue lvalue = {.object = function->parameters.items[k]->id, .pointer = -1};
            struct event event = {.kind = EVENT_PARAMETER, .function = function, .detail = (int)k};
            add_event(s, lvalue, event);
        }
    }
}

static int compare_functions(const void *left, const void *right) {
    const struct event_writer *l = left, *r = right;
    return (l->function > r->function) - (l->function < r->function);
}

void events_find_writers(struct event_list *list) {
    if (list->writers != NULL)
        return;
    list->writers = xmalloc((list->items.count + 1) * sizeof *list->writers);
    for (size_t i = 0; i < list->items.count; i++) {
        const struct event_at *at = &list->items.items[i];
        const struct node *node = at->event->call != NULL ? at->event->call->node : at->event->node;
        if (node != NULL)
            list->writers[list->writer_count++] =
                (struct event_writer){node->function != NULL ? node->function->id : -1, node->id,
                                      at->location, at->class};
    }
    qsort(list->writers, list->writer_count, sizeof *list->writers, compare_functions);
}

void events_dispose(struct slice *s) {
    for (size_t i = 0; i < s->events.count; i++) {
        struct event_list *list = s->events.items[i];
        for (size_t k = 0; list != NULL && k < list->items.count; k++) {
            struct event_sources *sources = list->items.items[k].event->sources;
            if (sources == NULL)
                continue;
            vec_dispose(&sources->whole);
            vec_dispose(&sources->others);
        }
        if (list == NULL)
            continue;
        vec_dispose(&list->items);
        free(list->writers);
    }
    vec_dispose(&s->events);
}
