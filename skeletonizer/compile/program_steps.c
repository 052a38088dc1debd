/* SPDX-License-Identifier: Apache-2.0
 *
 * Skeleton and original are built for SMPI (smpi_compiler.h), the profiling build with the
 * application's own command, and so, where it has to be, the profiling runtime (profile_runtime.c).
 *
 * A rewritten unit finds rewritten headers first: each -I inside the project is preceded by its
 * counterpart in the bundle, and quoted includes that the bundle lacks are looked for beside the
 * original file. So that generating twice gives the same bundle, no object holds the name of the
 * temporary directory, and only one of each program holds the bundle id.
 */
#include "skeletonizer/compile/program_steps.h"

#include "base/file.h"
#include "base/str.h"
#include "frontend/commands/link_arguments.h"
#include "skeletonizer/compile/archive.h"
#include "skeletonizer/compile/linker.h"
#include "skeletonizer/compile/profile_runtime.h"
#include "skeletonizer/plan/shared_text.h"

#include <string.h>

typedef compiler_words words;

/* Ends the list and copies it into the arena. */
static const char *const *finished(struct compilation *c, words *list) {
    vec_push(list, NULL);
    const char **copy = ARENA_ARRAY(c->arena, const char *, list->count);
    memcpy(copy, list->items, list->count * sizeof *copy);
    return copy;
}

static void add_all(words *out, const char *const *items, size_t count) {
    for (size_t i = 0; i < count; i++)
        vec_push(out, items[i]);
}

#define ADD_ALL(out, items) add_all(out, items, sizeof(items) / sizeof *(items))

/* ---- Units ---- */

static const char *object_path(struct compilation *c, const struct compile_build *build,
                               size_t index) {
    return arena_printf(c->arena, "%s/%s.%zu.o", c->directory, build->program, index);
}

/* *out_job is what compiles it. */
static void describe_object(struct object_file *out, struct job *out_job, struct compilation *c,
                            const struct compile_build *of, size_t index) {
    struct compile_build own = *of;
    const struct compile_build *build = &own;
    own.is_plain = c->program->units.items[index]->stays_whole;
    const struct compile_command *command = &c->commands->compiles.items[index];
    words options = {0};
    out->path = object_path(c, build, index);
    out->name = path_base(out->path);
    out->log = arena_printf(c->arena, "%s.log", out->path);
    out->made_from = arena_printf(c->arena, "%s.d", out->path);
    out->directory = command->directory;
    unit_command_options(c, build, command, &options);
    if (!build->counts && shared_text_is_used(c->program))
        vec_push(&options, arena_printf(c->arena, "-DBSIM_UNIT=%zu", index));
    out->options = finished(c, &options);
    add_all(&out_job->command, options.items, options.count - 1);
    vec_dispose(&options);
    const char *const rest[] = {
        "-MD", "-MF",    out->made_from, "-c", unit_command_source(c, build, command),
        "-o",  out->path};
    ADD_ALL(&out_job->command, rest);
    out->command = finished(c, &out_job->command);
    out_job->log = out->log;
    out_job->source =
        arena_printf(c->arena, "%s for the %s",
                     path_relative(c->arena, c->program->root, command->file), build->program);
}

static void add_units(struct later *out, struct compilation *c, const struct compile_build *build) {
    for (size_t i = 0; i < c->commands->compiles.count; i++) {
        struct object_file *object = ARENA_NEW(c->arena, struct object_file);
        struct later_step step = {.object = object};
        describe_object(object, &step.job, c, build, i);
        step.directory = object->directory;
        vec_push(&out->steps, step);
    }
}

/* ---- The bundle id ---- */

static const char *id_path(struct compilation *c, const struct compile_build *build) {
    return path_join(c->arena, c->directory, later_id_path(c->arena, build->program));
}

static const char *id_object(struct compilation *c, const struct compile_build *build) {
    return arena_printf(c->arena, "%s.o", id_path(c, build));
}

static void add_string(struct str *out, const char *name, const char *text) {
    str_printf(out, "\t.globl %s\n\t.hidden %s\n%s:\n\t.string \"", name, name, name);
    for (; *text != '\0'; text++)
        if (*text == '\n')
            str_add(out, "\\n");
        else
            str_printf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    str_add(out, "\"\n");
}

static const char *id_text(struct compilation *c) {
    struct str text = {0};
    str_add(&text, "\t.section .rodata\n");
    add_string(&text, "bsim_bundle_id", c->bundle_id);
    add_string(&text, "bsim_trace_library", path_join(c->arena, c->libraries, "libbsim_trace.so"));
    if (c->operation_regions[0] != '\0')
        add_string(&text, "bsim_operation_regions", c->operation_regions);
    str_add(&text, "\t.section .note.GNU-stack,\"\",%progbits\n");
    return str_into(c->arena, &text);
}

/* bsim.h leaves a weak definition in each unit; this is the one that counts. In assembler: smpicc
 * includes headers into each C file, which takes longer than all else here. */
static void add_id(struct later *out, struct compilation *c, const struct compile_build *build) {
    const struct compile_command *command = &c->commands->compiles.items[0];
    const char *object = id_object(c, build);
    struct job job = {.log = arena_printf(c->arena, "%s.log", object), .source = "the bundle id"};
    out->id = id_text(c);
    out->library = arena_printf(c->arena, "%s/%s", c->libraries, build->library);
    unit_command_id_options(c, build, command, &job.command);
    const char *const rest[] = {"-w", "-g0",  "-x", "assembler", "-c", id_path(c, build),
                                "-o", object, NULL};
    ADD_ALL(&job.command, rest);
    vec_push(&out->steps, ((struct later_step){.job = job, .directory = command->directory}));
}

/* ---- The profiling runtime, for an MPI that the library was not built with ---- */

static const char *runtime_object(struct compilation *c, const char *source) {
    return arena_printf(c->arena, "%s/profile.%s.o", c->directory, path_base(source));
}

/* *out_sources NULL: the library will do. */
static int add_profile_runtime(const char *const **out_sources, struct later *out,
                               struct compilation *c, struct error *error) {
    *out_sources = NULL;
    if (profile_runtime_is_built(c->arena, c->commands, c->libraries))
        return 0;
    if ((*out_sources = profile_runtime_sources(c->arena, c->libraries, error)) == NULL)
        return -1;
    for (const char *const *source = *out_sources; *source != NULL; source++) {
        const char *object = runtime_object(c, *source);
        struct job job = {.log = arena_printf(c->arena, "%s.log", object),
                          .source = arena_printf(c->arena, "mpiskel's own %s", *source)};
        unit_command_add(&job.command, profile_runtime_command(c->arena, c->commands, c->libraries,
                                                               *source, object));
        vec_push(&job.command, NULL);
        vec_push(&out->steps,
                 ((struct later_step){.job = job,
                                      .directory = c->commands->compiles.items[0].directory}));
    }
    return 0;
}

/* ---- The link ---- */

static void add_library(struct compilation *c, const struct compile_build *build,
                        const char *const *sources, words *out) {
    vec_push(out, id_object(c, build));
    for (const char *const *source = sources; source != NULL && *source != NULL; source++)
        vec_push(out, runtime_object(c, *source));
    if (sources == NULL)
        vec_push(out, arena_printf(c->arena, "%s/%s", c->libraries, build->library));
}

/* In the order of the application's link: of weak definitions the first counts, and constructors
 * run in it. */
static void add_objects(struct later *out, struct compilation *c, const struct compile_build *build,
                        words *command) {
    size_t count = c->commands->compiles.count, words_of_link = 1;
    const struct compile_command *units = c->commands->compiles.items;
    const char *path = archive_path(c->arena, c->directory, build->program);
    struct later_step step = {
        .job = {.log = arena_printf(c->arena, "%s.log", path), .source = "a library of units"},
        .directory = c->directory,
        .waits = true};
    words members = {0};
    for (size_t i = 0; i < count; i++)
        if (units[i].link_position >= words_of_link)
            words_of_link = units[i].link_position + 1;
    for (size_t position = 0; position < words_of_link; position++)
        for (size_t i = 0; i < count; i++)
            if (units[i].link_position == position)
                vec_push(units[i].in_archive ? &members : command, object_path(c, build, i));
    archive_add(&step.job.command, command, c->commands, path, &members);
    vec_dispose(&members);
    if (step.job.command.count > 0)
        vec_push(&out->steps, step);
}

static void add_linker(struct compilation *c, const struct compile_build *build, words *out) {
    const char *linker = linker_choose(c);
    bool is_cxx = linker_first_compiler(c, true) != NULL;
    if (c->link != NULL && c->link->environment != NULL)
        unit_command_add(out, c->link->environment);
    if (build->counts)
        replacement_add(&c->scout_compiler->replacement, linker, is_cxx, out);
    else if (build->smpi)
        vec_push(out, c->smpi_compiler.link);
    else if (c->counting != COUNTING_NOT)
        replacement_add(&c->counting_compiler, linker, is_cxx, out);
    else
        vec_push(out, linker);
}

static bool has_own_main(const struct compilation *c, const struct compile_build *build) {
    return c->is_one_rank && !build->counts;
}

/* The MPI that a program without one is linked with is a shared library. */
static bool excludes_shared_libraries(const char *word) {
    static const char *const options[] = {"-static", "-static-pie", "-Wl,-static", NULL};
    return text_is_one_of(word, options);
}

static bool goes_along(const struct compilation *c, const struct compile_build *build,
                       const char *word) {
    return !(has_own_main(c, build) && excludes_shared_libraries(word)) &&
           (!build->smpi || (!linker_word_is_mpi(word) && !linker_word_is_for_executables(word))) &&
           (!build->is_skeleton || !linker_word_is_for_devices(word));
}

static void add_link_arguments(struct compilation *c, const struct compile_build *build,
                               words *out) {
    struct compile_arguments arguments = {0};
    if (c->link != NULL)
        link_arguments_read(&arguments, c->arena, c->commands, c->link);
    if (c->link == NULL)
        unit_command_add(out, c->unlinked.openmp);
    if (!build->smpi && (c->link == NULL || has_own_main(c, build)))
        unit_command_add(out, c->unlinked.mpi);
    if (has_own_main(c, build)) { /* bsim.h, BSIM_MAIN */
        vec_push(out, "-Wl,-u,bsim__main");
        vec_push(out, "-Wl,--defsym=main=bsim__main");
    }
    if (build->counts)
        replacement_filter(&c->scout_compiler->replacement, arguments.items, &arguments.count);
    if (c->counting != COUNTING_NOT)
        replacement_filter(&c->counting_compiler, arguments.items, &arguments.count);
    for (int i = 0; i < arguments.count; i++)
        if (goes_along(c, build, arguments.items[i]))
            vec_push(out, arguments.items[i]);
    if (build->smpi && linker_is_fortran(linker_choose(c)))
        vec_push(out, "-lgfortran");
    if (c->lacks_definitions)
        vec_push(out, "-Wl,--allow-multiple-definition");
}

static int add_link(struct later *out, struct compilation *c, const struct compile_build *build,
                    const char *const *runtime, struct error *error) {
    struct job job = {.log = arena_printf(c->arena, "%s/%s.log", c->directory, build->program),
                      .source = build->program};
    words *command = &job.command;
    add_linker(c, build, command);
    add_objects(out, c, build, command);
    if (build->counts)
        vec_push(command, "--coverage");
    else
        add_library(c, build, runtime, command);
    add_link_arguments(c, build, command);
    if (unit_command_is_counted(c, build) &&
        counting_add_link(command, c->arena, c->libraries, error) != 0) {
        vec_dispose(command);
        return -1;
    }
    vec_push(command, "-lm");
    if (build->smpi) { /* as in an executable, its own functions come before libc's */
        vec_push(command, "-Wl,-Bsymbolic");
        vec_push(command, "-Wl,--strip-debug"); /* ranks may have a copy each */
        if (!build->is_skeleton)
            vec_push(command, "-Wl,--wrap=free"); /* runtime/original/malloc_threshold.c */
    }
    vec_push(command, "-o");
    vec_push(command, path_join(c->arena, c->directory, later_part_path(c->arena, build->program)));
    if (build->smpi)
        unit_command_add(command, c->smpi_compiler.libraries);
    vec_push(command, NULL);
    vec_push(&out->steps,
             ((struct later_step){.job = job,
                                  .directory = c->link != NULL ? c->link->directory : c->directory,
                                  .waits = true}));
    return 0;
}

int program_steps(struct later *out, struct compilation *c, const struct compile_build *build,
                  struct error *error) {
    const char *const *runtime = NULL;
    bool is_profile = !build->smpi && !build->counts;
    *out = (struct later){.program = build->program};
    add_units(out, c, build);
    if (!build->counts)
        add_id(out, c, build);
    if (is_profile && add_profile_runtime(&runtime, out, c, error) != 0)
        return -1;
    return add_link(out, c, build, runtime, error);
}
