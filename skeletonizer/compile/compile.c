/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiles the three programs of a bundle with the application's own options: skeleton and original
 * for SMPI (smpi_compiler.h), the profiling build with the application's own command, and so, where
 * it has to be, the profiling runtime (profile_runtime.c).
 *
 * A rewritten unit finds rewritten headers first: each -I inside the project is preceded by its
 * counterpart in the bundle, and quoted includes that the bundle lacks are looked for beside the
 * original file. Objects of an older bundle are taken over where they would come out the same
 * (objects.c); so that they can, and so that generating twice gives the same bundle, no object
 * holds the name of the temporary directory, and only one of each program holds the bundle id.
 */
#include "skeletonizer/compile/compile.h"

#include "base/file.h"
#include "base/process.h"
#include "base/status_line.h"
#include "base/str.h"
#include "frontend/commands/link_arguments.h"
#include "skeletonizer/compile/archive.h"
#include "skeletonizer/compile/build_log.h"
#include "skeletonizer/compile/linker.h"
#include "skeletonizer/compile/profile_runtime.h"
#include "skeletonizer/compile/unit_command.h"
#include "skeletonizer/compiler/jobs.h"
#include "skeletonizer/plan/shared_text.h"
#include "skeletonizer/rewrite/shareable.h"
#include "skeletonizer/slice/instances.h"

#include <stdio.h>
#include <string.h>

enum { SKELETON, PROFILE, ORIGINAL, BUILD_COUNT };

static const struct compile_build builds[BUILD_COUNT] = {
    {"skeleton", "src", "-DBSIM_SKELETON", "libbsim_skeleton.a", true, true, false, false},
    {"profile", "src.profile", "-DBSIM_PROFILE", "libbsim_profile.a", false, false, false, false},
    {"original", "src.original", "-DBSIM_ORIGINAL", "libbsim_original.a", true, false, false,
     false},
};

static const struct compile_build scout_build = {"scout", NULL,  NULL, NULL,
                                                 false,   false, true, false};

typedef compiler_words words;

static char *log_path(struct compilation *c, const char *name) {
    return arena_printf(c->arena, "%s/%s.log", c->directory, name);
}

/* Ends the list and copies it into the arena. */
static const char *const *finished(struct compilation *c, words *list) {
    vec_push(list, NULL);
    const char **copy = ARENA_ARRAY(c->arena, const char *, list->count);
    memcpy(copy, list->items, list->count * sizeof *copy);
    return copy;
}

/* Of a program for later the command is only noted down. */
static int start(struct compilation *c, struct jobs *jobs, struct later_step step,
                 struct error *error) {
    if (c->later == NULL && (!step.waits || jobs_finish(jobs, error) == 0))
        return jobs_start(jobs, step.job, step.directory, error);
    if (c->later != NULL)
        vec_push(&c->later->steps, step);
    else
        vec_dispose(&step.job.command);
    return c->later != NULL ? 0 : -1;
}

/* The skeleton with thread-local variables, which not every program stands. */
static bool may_fail(const struct compilation *c, const struct compile_build *build) {
    return build->is_skeleton && !c->has_plain_variables;
}

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
    for (size_t i = 0; i + 1 < options.count; i++)
        vec_push(&out_job->command, options.items[i]);
    vec_dispose(&options);
    const char *const rest[] = {
        "-MD", "-MF",    out->made_from, "-c", unit_command_source(c, build, command),
        "-o",  out->path};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        vec_push(&out_job->command, rest[i]);
    out->command = finished(c, &out_job->command);
    out_job->log = out->log;
    out_job->source =
        arena_printf(c->arena, "%s for the %s",
                     path_relative(c->arena, c->program->root, command->file), build->program);
}

typedef VEC(struct object_file) object_files;

static int compile_unit(struct compilation *c, const struct compile_build *build, size_t index,
                        struct jobs *jobs, object_files *objects, struct error *error) {
    struct object_file *object = ARENA_NEW(c->arena, struct object_file);
    struct job job = {.may_fail = may_fail(c, build)};
    bool is_taken = false;
    describe_object(object, &job, c, build, index);
    int result = 0;
    if (c->later == NULL)
        result = objects_take(&is_taken, &c->objects, object, error);
    else if (!c->with_original)
        result = objects_carry(&c->objects, object, error);
    c->object_count += c->later == NULL && !build->counts;
    c->compiled_count += c->later == NULL && !build->counts && !is_taken;
    if (result == 0)
        vec_push(objects, *object);
    if (result != 0 || is_taken) {
        vec_dispose(&job.command);
        return result;
    }
    struct later_step step = {.job = job, .directory = object->directory, .object = object};
    return start(c, jobs, step, error);
}

static int compile_units(struct compilation *c, const struct compile_build *build,
                         struct jobs *jobs, object_files *objects, struct error *error) {
    for (size_t i = 0; i < c->commands->compiles.count; i++) {
        if (compile_unit(c, build, i, jobs, objects, error) != 0)
            return -1;
        status_line_show("compiling for the %s: %zu of %zu units", build->program, i + 1,
                         c->commands->compiles.count);
    }
    return 0;
}

/* The programs that are built at once have one. */
static const char *id_path(struct compilation *c, const char *suffix) {
    const char *program = c->later != NULL ? c->later->program : "bundle";
    return arena_printf(c->arena, "%s/%s.id%s", c->directory, program, suffix);
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
    const char *copy = arena_strdup(c->arena, str_text(&text));
    str_dispose(&text);
    return copy;
}

/* bsim.h leaves a weak definition in each unit; this is the one that counts. In assembler: smpicc
 * includes headers into each C file, which takes longer than all else here. */
static int compile_id(struct compilation *c, const struct compile_build *build, struct jobs *jobs,
                      struct error *error) {
    const struct compile_command *command = &c->commands->compiles.items[0];
    const char *source = id_path(c, ".s"), *text = id_text(c);
    struct job job = {.log = id_path(c, ".o.log"), .source = "the bundle id"};
    if (c->later != NULL)
        c->later->id = text;
    else if (file_write(source, text, strlen(text), error) != 0)
        return -1;
    unit_command_id_options(c, build, command, &job.command);
    const char *const rest[] = {
        "-w", "-g0", "-x", "assembler", "-c", source, "-o", id_path(c, ".o"), NULL};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        vec_push(&job.command, rest[i]);
    struct later_step step = {.job = job, .directory = command->directory};
    return start(c, jobs, step, error);
}

static const char *runtime_object(struct compilation *c, const char *source) {
    return arena_printf(c->arena, "%s/%s.o", c->directory, path_base(source));
}

/* For an MPI that the library was not built with. */
static int compile_profile_runtime(struct compilation *c, struct jobs *jobs, struct error *error) {
    if (profile_runtime_is_built(c->arena, c->commands, c->libraries))
        return 0;
    if ((c->profile_sources = profile_runtime_sources(c->arena, c->libraries, error)) == NULL)
        return -1;
    for (const char *const *source = c->profile_sources; *source != NULL; source++) {
        const char *object = runtime_object(c, *source);
        struct job job = {.log = arena_printf(c->arena, "%s.log", object),
                          .source = arena_printf(c->arena, "mpiskel's own %s", *source)};
        unit_command_add(&job.command, profile_runtime_command(c->arena, c->commands, c->libraries,
                                                               *source, object));
        vec_push(&job.command, NULL);
        if (jobs_start(jobs, job, c->commands->compiles.items[0].directory, error) != 0)
            return -1;
    }
    return 0;
}

static void add_library(struct compilation *c, const struct compile_build *build, words *out) {
    bool is_profile = strcmp(build->program, "profile") == 0;
    vec_push(out, id_path(c, ".o"));
    const char *const *source = is_profile ? c->profile_sources : NULL;
    for (; source != NULL && *source != NULL; source++)
        vec_push(out, runtime_object(c, *source));
    if (source == NULL)
        vec_push(out, arena_printf(c->arena, "%s/%s", c->libraries, build->library));
}

/* In the order of the application's link: of weak definitions the first counts, and constructors
 * run in it. *out_waits: the link has to wait for what makes these. */
static int add_objects(bool *out_waits, struct compilation *c, const struct compile_build *build,
                       words *out, struct jobs *jobs, struct error *error) {
    size_t count = c->commands->compiles.count, words_of_link = 1;
    const struct compile_command *units = c->commands->compiles.items;
    const char *path = archive_path(c->arena, c->directory, build->program);
    struct later_step step = {
        .job = {.log = arena_printf(c->arena, "%s.log", path), .source = "a library of units"},
        .directory = c->directory,
        .waits = c->later != NULL};
    words members = {0};
    for (size_t i = 0; i < count; i++)
        if (units[i].link_position >= words_of_link)
            words_of_link = units[i].link_position + 1;
    for (size_t position = 0; position < words_of_link; position++)
        for (size_t i = 0; i < count; i++)
            if (units[i].link_position == position)
                vec_push(units[i].in_archive ? &members : out, object_path(c, build, i));
    archive_add(&step.job.command, out, c->commands, path, &members);
    vec_dispose(&members);
    remove(path); /* of a link that failed */
    *out_waits = c->later != NULL || step.job.command.count > 0;
    return step.job.command.count > 0 ? start(c, jobs, step, error) : 0;
}

static int link_program(struct compilation *c, const struct compile_build *build, struct jobs *jobs,
                        struct error *error) {
    struct compile_arguments arguments = {0};
    struct job job = {.log = log_path(c, build->program),
                      .source = build->program,
                      .may_fail = may_fail(c, build)};
    const char *linker = linker_choose(c);
    bool is_cxx = linker_first_compiler(c, true) != NULL, waits;
    if (c->link != NULL && c->link->environment != NULL)
        unit_command_add(&job.command, c->link->environment);
    if (build->counts)
        replacement_add(&c->scout_compiler->replacement, linker, is_cxx, &job.command);
    else if (build->smpi)
        vec_push(&job.command, c->smpi_compiler.link);
    else if (c->counting != COUNTING_NOT)
        replacement_add(&c->counting_compiler, linker, is_cxx, &job.command);
    else
        vec_push(&job.command, linker);
    if (add_objects(&waits, c, build, &job.command, jobs, error) != 0)
        return -1;
    if (build->counts)
        vec_push(&job.command, "--coverage");
    else
        add_library(c, build, &job.command);
    if (c->link != NULL)
        link_arguments_read(&arguments, c->arena, c->commands, c->link);
    if (c->link == NULL) {
        unit_command_add(&job.command, c->unlinked.openmp);
        unit_command_add(&job.command, build->smpi ? c->unlinked.openmp : c->unlinked.mpi);
    }
    if (build->counts)
        replacement_filter(&c->scout_compiler->replacement, arguments.items, &arguments.count);
    if (c->counting != COUNTING_NOT)
        replacement_filter(&c->counting_compiler, arguments.items, &arguments.count);
    for (int i = 0; i < arguments.count; i++)
        if ((!build->smpi || (!linker_word_is_mpi(arguments.items[i]) &&
                              !linker_word_is_for_executables(arguments.items[i]))) &&
            (!build->is_skeleton || !linker_word_is_for_devices(arguments.items[i])))
            vec_push(&job.command, arguments.items[i]);
    if (build->smpi && linker_is_fortran(linker))
        vec_push(&job.command, "-lgfortran");
    if (c->lacks_definitions)
        vec_push(&job.command, "-Wl,--allow-multiple-definition");
    if (unit_command_is_counted(c, build) &&
        counting_add_link(&job.command, c->arena, c->libraries, error) != 0)
        return -1;
    vec_push(&job.command, "-lm");
    if (build->smpi) { /* as in an executable, its own functions come before libc's */
        vec_push(&job.command, "-Wl,-Bsymbolic");
        vec_push(&job.command, "-Wl,--strip-debug"); /* ranks may have a copy each */
        if (!build->is_skeleton)
            vec_push(&job.command, "-Wl,--wrap=free"); /* runtime/original/malloc_threshold.c */
    }
    vec_push(&job.command, "-o");
    const char *output =
        c->later != NULL ? later_part_path(c->arena, build->program) : build->program;
    vec_push(&job.command, path_join(c->arena, c->directory, output));
    if (build->smpi)
        unit_command_add(&job.command, c->smpi_compiler.libraries);
    vec_push(&job.command, NULL);
    struct later_step step = {.job = job,
                              .directory = c->link != NULL ? c->link->directory : c->directory,
                              .waits = waits};
    return start(c, jobs, step, error);
}

static void keep_messages(struct compilation *c) {
    VEC(const char *) logs = {0};
    for (size_t i = 0; i < c->commands->compiles.count; i++)
        vec_push(&logs, arena_printf(c->arena, "%s.log", object_path(c, &builds[SKELETON], i)));
    build_log_write(c->arena, c->directory, c->output, logs.items, logs.count);
    vec_dispose(&logs);
}

static void remove_leftovers(struct compilation *c) {
    for (size_t b = 0; b < sizeof builds / sizeof *builds; b++) {
        remove(log_path(c, builds[b].program));
        const char *archive = archive_path(c->arena, c->directory, builds[b].program);
        remove(archive);
        remove(arena_printf(c->arena, "%s.log", archive));
        for (size_t i = 0; i < c->commands->compiles.count; i++) {
            const char *object = object_path(c, &builds[b], i);
            remove(object);
            remove(arena_printf(c->arena, "%s.log", object));
            remove(arena_printf(c->arena, "%s.d", object));
        }
    }
    static const char *const suffixes[] = {".s", ".o", ".o.log"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        remove(id_path(c, suffixes[i]));
    const char *const *source = c->profile_sources;
    for (; source != NULL && *source != NULL; source++) {
        remove(runtime_object(c, *source));
        remove(arena_printf(c->arena, "%s.log", runtime_object(c, *source)));
    }
}

static int find_link_options(struct compilation *c, struct error *error) {
    return c->link != NULL ? 0 : unlinked_options(&c->unlinked, c->arena, c->commands, error);
}

int compile_scout(struct compilation *c, struct error *error) {
    struct jobs jobs = {.limit = c->jobs, .silent = !c->scout_compiler->optimizes};
    object_files objects = {0};
    c->lacks_definitions = instances_lack_definitions(c->program);
    if (find_link_options(c, error) != 0)
        return -1;
    int result = compile_units(c, &scout_build, &jobs, &objects, error);
    if (jobs_finish(&jobs, error) != 0)
        result = -1;
    if (result == 0)
        result = link_program(c, &scout_build, &jobs, error);
    if (jobs_finish(&jobs, error) != 0)
        result = -1;
    vec_dispose(&objects);
    vec_dispose(&jobs.running);
    objects_dispose(&c->objects);
    hash_table_dispose(&c->smpi_compilers);
    return result;
}

/* How many of `builds` are built at once. */
static size_t builds_now(const struct compilation *c) {
    return c->with_original ? BUILD_COUNT : ORIGINAL;
}

/* The skeleton once more, with plain variables, if it could not be built otherwise. */
static int compile_plain(struct compilation *c, struct jobs *jobs, object_files *skeleton,
                         struct error *error) {
    if (!jobs->has_failed)
        return 0;
    jobs->has_failed = false;
    c->has_plain_variables = true;
    skeleton->count = 0;
    int result = compile_units(c, &builds[SKELETON], jobs, skeleton, error);
    return jobs_finish(jobs, error) != 0 ? -1 : result;
}

static int compile_all(struct compilation *c, struct jobs *jobs, object_files *skeleton,
                       object_files *others, struct error *error) {
    int result = compile_id(c, &builds[PROFILE], jobs, error);
    for (size_t i = 0; i < builds_now(c) && result == 0; i++)
        result = compile_units(c, &builds[i], jobs, i == SKELETON ? skeleton : others, error);
    if (result == 0)
        result = compile_profile_runtime(c, jobs, error);
    if (jobs_finish(jobs, error) != 0)
        result = -1;
    return result == 0 ? compile_plain(c, jobs, skeleton, error) : result;
}

static int link_all(struct compilation *c, struct jobs *jobs, object_files *skeleton,
                    struct error *error) {
    int result = 0;
    for (size_t i = 0; i < builds_now(c) && result == 0; i++)
        result = link_program(c, &builds[i], jobs, error);
    if (jobs_finish(jobs, error) != 0 || result != 0)
        return -1;
    if (!jobs->has_failed)
        return 0;
    result = compile_plain(c, jobs, skeleton, error);
    if (result == 0)
        result = link_program(c, &builds[SKELETON], jobs, error);
    return jobs_finish(jobs, error) != 0 ? -1 : result;
}

/* It is also written where the program is built at once: what is removed of a bundle, or does not
 * run on this machine, can be built again. */
static int note_original(struct compilation *c, struct error *error) {
    struct later later = {.program = builds[ORIGINAL].program};
    object_files objects = {0};
    c->later = &later;
    int result = compile_units(c, &builds[ORIGINAL], NULL, &objects, error);
    if (result == 0)
        result = compile_id(c, &builds[ORIGINAL], NULL, error);
    if (result == 0)
        result = link_program(c, &builds[ORIGINAL], NULL, error);
    if (result == 0)
        result = later_write(&later, c->arena, c->directory, error);
    c->later = NULL;
    later_dispose(&later);
    vec_dispose(&objects);
    return result;
}

static int keep_objects(struct compilation *c, const object_files *objects, struct error *error) {
    for (size_t i = 0; i < objects->count; i++)
        if (objects_keep(&c->objects, &objects->items[i], error) != 0)
            return -1;
    return 0;
}

/* What counts is compiled by clang: all programs are, so that they have the same code. */
static int choose_compilers(struct compilation *c, struct error *error) {
    const char *name = linker_first_compiler(c, false), *cxx = linker_first_compiler(c, true);
    if (c->counting != COUNTING_NOT) {
        if (counting_choose(&c->counting_compiler, c->arena, name != NULL ? name : cxx, error) != 0)
            return -1;
        name = c->counting_compiler.name;
        cxx = cxx != NULL ? replacement_for_cxx(c->arena, name) : NULL;
    }
    c->smpi_compiler = smpi_compiler_choose(c->arena, name, cxx);
    if (name != NULL && cxx == NULL) { /* that of its C units is the same */
        struct smpi_compiler *known =
            hash_table_add_text(&c->smpi_compilers, name, sizeof c->smpi_compiler);
        *known = c->smpi_compiler;
    }
    return 0;
}

int compile_programs(struct compilation *c, struct error *error) {
    struct jobs jobs = {.limit = c->jobs};
    object_files skeleton = {0}, others = {0};
    if (choose_compilers(c, error) != 0)
        return -1;
    c->lacks_definitions = instances_lack_definitions(c->program);
    c->has_plain_variables = !sharing_is_possible(c->program, c->commands, c->link);
    int result = find_link_options(c, error);
    if (result == 0)
        result = compile_all(c, &jobs, &skeleton, &others, error);
    if (result == 0)
        result = link_all(c, &jobs, &skeleton, error);
    if (result == 0)
        result = keep_objects(c, &skeleton, error);
    if (result == 0)
        result = keep_objects(c, &others, error);
    if (result == 0)
        keep_messages(c);
    if (result == 0)
        result = note_original(c, error);
    remove_leftovers(c);
    vec_dispose(&skeleton);
    vec_dispose(&others);
    vec_dispose(&jobs.running);
    replacement_dispose(&c->counting_compiler);
    objects_dispose(&c->objects);
    hash_table_dispose(&c->smpi_compilers);
    return result;
}
