/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass over the calls.
 */
#include "skeletonizer/check.h"

#include "base/file.h"
#include "base/status_line.h"
#include "base/str.h"
#include "skeletonizer/pointsto/live.h"
#include "skeletonizer/slice/events.h"
#include "skeletonizer/slice/kept.h"

#include <stdio.h>
#include <string.h>

static bool is_among(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool is_jump_across(const char *name) {
    static const char *const names[] = {"setjmp",  "_setjmp",  "__sigsetjmp", "sigsetjmp",
                                        "longjmp", "_longjmp", "siglongjmp"};
    return is_among(names, sizeof names / sizeof *names, name);
}

static bool switches_context(const char *name) {
    static const char *const names[] = {"getcontext", "setcontext", "makecontext", "swapcontext"};
    return is_among(names, sizeof names / sizeof *names, name);
}

static bool starts_thread(const char *name) {
    static const char *const names[] = {"pthread_create", "thrd_create", "fork", "vfork", "clone"};
    return is_among(names, sizeof names / sizeof *names, name);
}

static bool makes_own_stream(const char *name) {
    static const char *const names[] = {"fopencookie", "funopen"};
    return is_among(names, sizeof names / sizeof *names, name);
}

static bool registers_for_exit(const char *name) {
    static const char *const names[] = {"atexit", "on_exit", "at_quick_exit"};
    return is_among(names, sizeof names / sizeof *names, name);
}

static void refuse_unknown(struct program *program, const struct call *call) {
    program_report(program, call->ast->range, "error",
                   "'%s' is not a function of MPI 3.1 that mpiskel knows", call->name);
}

static void begin_note(struct program *program, struct range range) {
    int line, column;
    status_line_hide();
    program_position(program, range, &line, &column);
    fprintf(stderr, "%s:%d:%d: note: ",
            path_relative(&program->arena, program->root, program->files.items[range.file]->path),
            line, column);
}

/* Told once: such a program has many of them. */
static void note_int_handle(struct program *program) {
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        int index = call->mpi != NULL ? mpi_call_parameter(call->mpi, MPI_ROLE_COMMUNICATOR) : -1;
        if (index < 0 || (size_t)index >= call->arguments.count ||
            call->arguments.items[index].type->kind != TYPE_INTEGER)
            continue;
        begin_note(program, call->ast->range);
        fprintf(stderr,
                "'%s' is given an int for a communicator, which is right for MPICH only; in the "
                "simulation communicators are found by their lower half\n",
                call->name);
        return;
    }
}

/* Compilers pass over it, and call main as it should be. */
static void check_main(struct program *program) {
    static const char *const types[] = {"int", "char **", "char **"};
    const struct function *function = program_function(program, "main");
    for (int i = 0; function != NULL && i < function->definition->parameter_count && i < 3; i++) {
        const struct declaration *parameter = function->definition->parameters[i];
        if (parameter->type->kind != (i == 0 ? TYPE_INTEGER : TYPE_POINTER) ||
            parameter->type->size_bytes != (long long)(i == 0 ? sizeof(int) : sizeof(char *)) ||
            (i > 0 && parameter->type->element->kind != TYPE_POINTER))
            program_report(program, parameter->name_range, "warning",
                           "'%s' of main is given '%s', which this type is not: correct it",
                           parameter->name, types[i]);
    }
}

int check_program(struct program *program) {
    check_main(program);
    note_int_handle(program);
    return program->error_count > 0 ? -1 : 0;
}

int check_ranks(bool *out_is_one_rank, struct program *program, const char *binary_mpi) {
    static const char *const text = "the program makes no MPI call";
    *out_is_one_rank = true;
    for (size_t i = 0; i < program->calls.count && *out_is_one_rank; i++)
        *out_is_one_rank = program->calls.items[i]->mpi == NULL;
    if (*out_is_one_rank && binary_mpi != NULL)
        program_report(program, (struct range){-1, 0, 0}, "error",
                       "%s itself, but has %s: let the build that is captured compile it, too",
                       text, binary_mpi);
    else if (*out_is_one_rank)
        program_report(
            program, (struct range){-1, 0, 0}, "note",
            "%s: it is predicted as a program of one rank (if this is another executable "
            "than meant: --link)",
            text);
    return program->error_count > 0 ? -1 : 0;
}

static bool is_in_live(const struct call *call) {
    return call->node->function != NULL && call->node->function->is_live;
}

static bool is_unknown_of_mpi(const struct program *program, const struct call *call) {
    return call->mpi == NULL && call->name != NULL && text_has_prefix(call->name, "MPI_") &&
           is_in_live(call) && program_function(program, call->key) == NULL;
}

/* The same function at the same place: all that comes out of one macro call is at its place, and so
 * are instances of a function. */
static bool is_reported(const struct program *program, size_t index) {
    const struct call *call = program->calls.items[index];
    const struct range range = call->ast->range;
    for (size_t i = 0; i < index; i++) {
        const struct call *other = program->calls.items[i];
        if (other->ast->range.file == range.file && other->ast->range.begin == range.begin &&
            other->mpi == call->mpi && is_in_live(other))
            return true;
    }
    return false;
}

/* Behind a return there is nothing to count. */
static bool was_never_executed(const struct counts *counts, const struct node *node) {
    bool counted = counts_of(counts, node) >= 0;
    for (size_t i = 0; i < node->function->nodes.count && !counted; i++)
        counted = counts_of(counts, node->function->nodes.items[i]) >= 0;
    return counted && counts_of(counts, node) <= 0;
}

/* What no simulation can do: the text before and behind the name, and what to do. Where it is
 * called nevertheless, the simulation stops (runtime/smpi/state.c, libc_calls.c). */
struct unsupported {
    const char *before, *behind, *instead;
};

static const struct unsupported context = {"", " jumps between functions, which cannot be analysed",
                                           "return an error code instead"};
static const struct unsupported stream = {
    "what the functions of a ", " stream do is not followed where it is written to or read",
    "call them directly, or use open_memstream"};
static const struct unsupported thread = {
    "", " starts a thread or process, which has no place in the simulation",
    "compute with OpenMP, or leave it out with #ifdef BSIM_SKELETON"};
static const struct unsupported lacking = {"SimGrid 3.32 does not support ", "",
                                           "replace it, or leave it out with #ifdef BSIM_SKELETON"};

/* NULL: the call is supported, is in a function that nothing calls, or calls one of the program. */
static const struct unsupported *unsupported_call(const struct program *program,
                                                  const struct call *call) {
    if (call->name == NULL || !is_in_live(call) || program_function(program, call->key) != NULL)
        return NULL;
    if (call->mpi != NULL)
        return call->mpi->in_smpi ? NULL : &lacking;
    return switches_context(call->name)   ? &context
           : makes_own_stream(call->name) ? &stream
           : starts_thread(call->name)    ? &thread
                                          : NULL;
}

/* Lines are counted, so nothing is known of what is behind conditions inside a macro. */
static bool is_excused(const struct call *call, const struct counts *counts) {
    return counts->known && (call->ast->from_macro || was_never_executed(counts, call->node));
}

static void warn_of_unsupported(struct program *program, const struct call *call) {
    program_report(program, call->ast->range, "warning",
                   "the simulation lacks '%s'%s; it stops where it is called", call->name,
                   call->ast->from_macro ? ", and whether this macro calls it was not counted"
                                         : ", which was never called when executions were counted");
}

static void refuse_unsupported(struct program *program, const struct call *call,
                               const struct unsupported *unsupported, bool counted) {
    program_report(program, call->ast->range, "error", "%s'%s'%s; %s%s", unsupported->before,
                   call->name, unsupported->behind, unsupported->instead,
                   !counted ? ", or show with --scout that it is never called" : "");
}

/* Once, since there may be many. */
static void note_never_made(const struct slice *slice) {
    struct program *program = slice->program;
    const struct call *first = NULL;
    int others = 0;
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (!call->never_made || call->node->function == NULL ||
            call->node->function->origin != NULL || !call->node->function->is_live)
            continue;
        others += first != NULL;
        first = first != NULL ? first : call;
    }
    if (first == NULL)
        return;
    begin_note(program, first->ast->range);
    fprintf(stderr,
            "nothing in the program sets this pointer to a function, so it is never called");
    if (others > 0)
        fprintf(stderr, "; likewise at %d other place%s", others, others > 1 ? "s" : "");
    fputc('\n', stderr);
}

/* A function of the program, or one of a library that calls such functions. */
static void check_lookup(const struct slice *slice, size_t index) {
    const struct call *call = slice->program->calls.items[index];
    if (call->name == NULL || strcmp(call->name, "dlsym") != 0 || !is_in_live(call) ||
        is_reported(slice->program, index))
        return;
    if (program_names_mpi(slice->program))
        program_report(slice->program, call->ast->range, "error",
                       "calls of functions of MPI that 'dlsym' finds by their names are not seen; "
                       "take their addresses, as in `send = MPI_Send`, or call them with PMPI_");
    else
        program_report(slice->program, call->ast->range, "warning",
                       "functions of the program itself are not followed where 'dlsym' finds "
                       "them; see with mpiskel verify whether communication depends on it");
}

/* Bodies that are not analysed, and change or read what is: no row could say so. */
static void check_hidden_bodies(struct program *program) {
    for (size_t i = 0; i < program->externs.count; i++) {
        const struct declaration *declaration = program->externs.items[i];
        const struct call *call = NULL;
        for (size_t k = 0; declaration->has_hidden_body && k < program->calls.count; k++) {
            const struct call *other = program->calls.items[k];
            bool calls = other->key != NULL && strcmp(other->key, declaration->key) == 0;
            if (calls && is_in_live(other) && other->library == NULL && call == NULL)
                call = other;
        }
        if (call != NULL)
            program_report(program, call->ast->range, "error",
                           "the body of '%s' works on variables of the program, but its header "
                           "lies outside of what is taken for the project (%s): name its directory "
                           "by a relative -I, or run `mpiskel capture` in a directory above both",
                           declaration->name, program->root);
    }
}

static bool makes_mpi_call(const struct slice *slice, const struct function *function) {
    const struct program *program = slice->program;
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (call->mpi != NULL && call->mpi->criterion && call->node->function != NULL &&
            slice_may_run(slice, function, call->node->function))
            return true;
    }
    return false;
}

static void check_destructors(const struct slice *slice) {
    for (size_t i = 0; i < slice->program->functions.count; i++) {
        const struct function *function = slice->program->functions.items[i];
        if (function->definition->is_destructor && makes_mpi_call(slice, function))
            program_report(slice->program, function->declaration->name_range, "error",
                           "'%s' runs when all ranks have ended (destructor), where they cannot "
                           "communicate in a simulation; call it at the end of main",
                           function->name);
        if (program_makes_object(function) && makes_mpi_call(slice, function))
            program_report(slice->program, function->declaration->name_range, "error",
                           "this object calls MPI before main begins or when it has ended, which "
                           "no simulation does; make it a variable of main");
    }
}

/* In functions that may be called, as far as is known. */
static void refuse_calls(struct program *program, const struct counts *counts) {
    check_hidden_bodies(program);
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        const struct unsupported *unsupported = unsupported_call(program, call);
        if (is_unknown_of_mpi(program, call) && !is_reported(program, i))
            refuse_unknown(program, call);
        else if (unsupported != NULL && !is_excused(call, counts) && !is_reported(program, i))
            refuse_unsupported(program, call, unsupported, counts->known);
    }
}

int check_reached(struct program *program, const struct counts *counts) {
    live_mark(program);
    refuse_calls(program, counts);
    live_forget(program);
    return program->error_count > 0 ? -1 : 0;
}

static bool has_file_stream(const struct type *type) {
    if (type_is_container(type))
        return strstr(type->name, "fstream") != NULL;
    for (int i = 0; type->kind == TYPE_RECORD && i < type->field_count; i++)
        if (has_file_stream(type->fields[i].type))
            return true;
    return type->kind == TYPE_ARRAY && type->element != NULL && has_file_stream(type->element);
}

/* What is written through one comes back through another only if the file does, which is not
 * followed. */
static void check_file_streams(const struct slice *slice) {
    for (size_t i = 0; i < slice->program->objects.count; i++) {
        const struct object *object = slice->program->objects.items[i];
        if (object->declaration != NULL && object->type != NULL && has_file_stream(object->type))
            program_report(slice->program, object->declaration->name_range, "error",
                           "a file of a C++ stream is followed with the assumption files-apart "
                           "only; open '%s' with fopen, or leave out no:files-apart",
                           object->name);
    }
}

int check_slice(const struct slice *slice, const struct counts *counts) {
    struct program *program = slice->program;
    note_never_made(slice);
    check_destructors(slice);
    refuse_calls(program, counts);
    if (!slice->assumptions.files_apart)
        check_file_streams(slice);
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        check_lookup(slice, i);
        if (call->library != NULL && registers_for_exit(call->library->name) && is_in_live(call) &&
            slice_is_criterion(slice, call))
            program_report(program, call->ast->range, "error",
                           "SimGrid calls functions of '%s' when all ranks have ended, so they "
                           "cannot communicate; call them at the end of main",
                           call->library->name);
        else if (unsupported_call(program, call) != NULL && is_excused(call, counts) &&
                 !is_reported(program, i))
            warn_of_unsupported(program, call);
    }
    return program->error_count > 0 ? -1 : 0;
}

static bool keeps_some(const struct slice *slice, const struct function *function) {
    for (size_t i = 0; i < function->nodes.count; i++)
        if (function->nodes.items[i]->ast != NULL &&
            kept_part_of_node(slice, function->nodes.items[i]))
            return true;
    return false;
}

static bool is_kept_jump(const struct slice *slice, const struct call *call) {
    const struct function *function = call->node->function;
    return call->name != NULL && is_jump_across(call->name) && function != NULL &&
           program_function(slice->program, call->key) == NULL && kept_function(slice, function) &&
           keeps_some(slice, function);
}

/* In another instance of the function. */
static bool is_kept_before(const struct slice *slice, size_t index) {
    const struct program *program = slice->program;
    for (size_t i = 0; i < index; i++)
        if (program->calls.items[i]->ast == program->calls.items[index]->ast &&
            is_kept_jump(slice, program->calls.items[i]))
            return true;
    return false;
}

/* Where nothing of a function is kept that makes such jumps, or is their goal, they happen within
 * what is gone. Else they are errors that are assumed not to happen, or refused. */
int check_jumps(const struct slice *slice) {
    struct program *program = slice->program;
    bool noted = false;
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (!is_kept_jump(slice, call) || is_kept_before(slice, i))
            continue;
        if (!slice->assumptions.no_abnormal_exit) {
            program_report(program, call->ast->range, "error",
                           "'%s' jumps between functions, which cannot be analysed; return an "
                           "error code instead, or, if it is for errors that do not happen, "
                           "--assume no-abnormal-exit",
                           call->name);
        } else if (!noted) {
            begin_note(program, call->ast->range);
            fprintf(stderr,
                    "'%s': no jump to or from here is assumed to happen (no-abnormal-exit)\n",
                    call->name);
            noted = true;
        }
    }
    return program->error_count > 0 ? -1 : 0;
}

/* A persistent send of what is no predefined datatype, whose contents are needed. */
static bool delivers_old_data(const struct slice *slice, const struct call *call) {
    if (call->mpi == NULL || !text_has_suffix(call->mpi->name, "end_init") ||
        !slice_keeps_payload(slice, call))
        return false;
    return events_handle(call, mpi_payload_datatype(call->mpi, 0)) == NULL;
}

void check_persistent(const struct slice *slice) {
    struct program *program = slice->program;
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (delivers_old_data(slice, call) && !is_reported(program, i))
            program_report(program, call->ast->range, "warning",
                           "if this datatype has gaps, SimGrid 3.32 delivers with the first start "
                           "the data as they are here, and they steer messages; set them before, "
                           "or send without gaps");
    }
}
