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
#include "skeletonizer/compile/objects.h"

#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "skeletonizer/compile/archive.h"
#include "skeletonizer/compile/build_log.h"
#include "skeletonizer/compile/profile_runtime.h"
#include "skeletonizer/compiler/jobs.h"
#include "skeletonizer/plan/shared_text.h"
#include "skeletonizer/rewrite/shareable.h"
#include "skeletonizer/slice/instances.h"

#include <stdio.h>
#include <string.h>

/* A loop takes other times at other places of a cache line (those of CoMD and examples/plu up to a
 * fifth), and what mpiskel adds, or SMPI wants, moves the code behind it. So functions and loops
 * begin with a line in all builds, unless the application's own options say otherwise. */
static const char *const aligned[] = {"-falign-functions=64", "-falign-loops=64"};

struct compile_build {
    const char *program; /* "skeleton" */
    const char *folder;  /* "src"; NULL: the application's own files */
    const char *define;  /* "-DBSIM_SKELETON" */
    const char *library; /* "libbsim_skeleton.a" */
    bool smpi;
    bool counts; /* with gcov's counters, and nothing of ours */
};

static const struct compile_build builds[] = {
    {"skeleton", "src", "-DBSIM_SKELETON", "libbsim_skeleton.a", true, false},
    {"original", NULL, "-DBSIM_ORIGINAL", "libbsim_original.a", true, false},
    {"profile", "src.profile", "-DBSIM_PROFILE", "libbsim_profile.a", false, false},
};

static const struct compile_build scout_build = {"scout", NULL, NULL, NULL, false, true};

/* Where its rewritten sources lie. */
static const char *folder_of(const struct generation *g, const struct compile_build *build) {
    if (strcmp(build->program, "original") == 0 && generate_rewrites_original(g))
        return "src.profile";
    return build->folder;
}

typedef compiler_words words;

static char *log_path(struct generation *g, const char *name) {
    return arena_printf(&g->arena, "%s/%s.log", g->directory, name);
}

static bool is_mpi_include(struct generation *g, const char *word) {
    return text_has_prefix(word, "-I") && file_exists(path_join(&g->arena, word + 2, "mpi.h"));
}

static void add_includes(struct generation *g, const struct compile_build *build, const char *word,
                         words *out) {
    const char *root = g->program.root;
    if (folder_of(g, build) != NULL && text_has_prefix(word, "-I") && path_inside(root, word + 2))
        vec_push(out, arena_printf(&g->arena, "-I%s/%s/%s", g->directory, folder_of(g, build),
                                   path_relative(&g->arena, root, word + 2)));
    vec_push(out, word);
}

/* `-include config.h`: the rewritten one. */
static const char *forced_include(struct generation *g, const struct compile_build *build,
                                  const char *path) {
    const char *root = g->program.root;
    if (folder_of(g, build) == NULL || path[0] != '/' || !path_inside(root, path))
        return path;
    return arena_printf(&g->arena, "%s/%s/%s", g->directory, folder_of(g, build),
                        path_relative(&g->arena, root, path));
}

static bool forces_include(const char *word) {
    return strcmp(word, "-include") == 0 || strcmp(word, "-imacros") == 0;
}

static void add_options(struct generation *g, const struct compile_build *build,
                        const struct compile_command *command, words *out) {
    struct compile_arguments arguments;
    commands_build_arguments(&arguments, &g->arena, command);
    if (build->counts) {
        scout_compiler_filter(&g->scout_compiler, arguments.items, &arguments.count);
        scout_compiler_serialize(arguments.items, arguments.count);
    }
    for (int i = 0; i < arguments.count; i++) {
        const char *word = arguments.items[i];
        bool skip = (build->smpi && is_mpi_include(g, word)) || text_has_prefix(word, "-l") ||
                    text_has_prefix(word, "-L") || text_has_prefix(word, "-Wl,");
        if (!skip && i > 0 && forces_include(arguments.items[i - 1]))
            vec_push(out, forced_include(g, build, word));
        else if (!skip)
            add_includes(g, build, word, out);
    }
    if (g->lacks_definitions)
        vec_push(out, "-fgnu89-inline"); /* each unit has one */
}

static void push_all(words *out, const char *const *items) {
    for (; *items != NULL; items++)
        vec_push(out, *items);
}

static void add_compiler(struct generation *g, const struct compile_build *build,
                         const struct compile_command *command, words *out) {
    const char *name = command->arguments.items[0];
    if (build->smpi)
        push_all(out, g->smpi_compiler.compile);
    else if (build->counts)
        scout_compiler_add(&g->scout_compiler, name, out);
    else
        vec_push(out, name);
}

static void add_runtime(struct generation *g, const struct compile_build *build, words *out) {
    vec_push(out, build->define);
    if (build == &builds[0] && g->has_plain_variables)
        vec_push(out, "-DBSIM_PRIVATE=");
    vec_push(out, arena_printf(&g->arena, "-I%s/include", g->options->libraries));
    vec_push(out, "-include");
    vec_push(out, arena_printf(&g->arena, "%s/include/bsim.h", g->options->libraries));
}

/* __FILE__ is as in reports for SMPI, relative to the application's root. */
static void add_prefix_maps(struct generation *g, const struct compile_build *build, words *out) {
    struct arena *arena = &g->arena;
    const char *folder = folder_of(g, build) == NULL
                             ? g->program.root
                             : arena_printf(arena, "%s/%s", g->directory, folder_of(g, build));
    if (build->smpi)
        vec_push(out, arena_printf(arena, "-fmacro-prefix-map=%s/=", folder));
    else
        vec_push(out, arena_printf(arena, "-fmacro-prefix-map=%s=%s", folder, g->program.root));
    vec_push(out, arena_printf(arena, "-fdebug-prefix-map=%s=%s", g->directory,
                               path_absolute(arena, path_current(arena), g->options->output)));
}

/* The compiler and all that does not name the unit. */
static void option_words(struct generation *g, const struct compile_build *build,
                         const struct compile_command *command, words *out) {
    struct arena *arena = &g->arena;
    add_compiler(g, build, command, out);
    if (!build->counts) {
        add_runtime(g, build, out);
        for (size_t i = 0; i < sizeof aligned / sizeof *aligned; i++)
            vec_push(out, aligned[i]);
    }
    add_options(g, build, command, out);
    if (build->counts) {
        vec_push(out, "--coverage");
        vec_push(out, "-fprofile-update=atomic"); /* OpenMP */
        if (!g->scout_compiler.optimizes)
            vec_push(out, "-O0");
    } else {
        add_prefix_maps(g, build, out);
    }
    if (build->smpi) /* SMPI's own malloc, which hides from the compiler what the real build's
                        optimizer knows */
        vec_push(out, "-DSMPI_NO_OVERRIDE_MALLOC");
    vec_push(out, "-iquote");
    vec_push(out, path_directory(arena, command->file));
    vec_push(out, "-Wno-error");
    vec_push(out, "-Wno-unused-parameter"); /* what only removed code looked at, */
    vec_push(out, "-Wno-unused-variable");  /* but whose initialiser does something */
    vec_push(out, "-Wno-address");          /* features: an array for a pointer that may be NULL */
}

static const char *source_path(struct generation *g, const struct compile_build *build,
                               const struct compile_command *command) {
    if (folder_of(g, build) == NULL)
        return command->file;
    return arena_printf(&g->arena, "%s/%s/%s", g->directory, folder_of(g, build),
                        path_relative(&g->arena, g->program.root, command->file));
}

/* Ends the list and copies it into the arena. */
static const char *const *finished(struct generation *g, words *list) {
    vec_push(list, NULL);
    const char **copy = ARENA_ARRAY(&g->arena, const char *, list->count);
    memcpy(copy, list->items, list->count * sizeof *copy);
    return copy;
}

/* The skeleton with thread-local variables, which not every program stands. */
static bool may_fail(const struct generation *g, const struct compile_build *build) {
    return build == &builds[0] && !g->has_plain_variables;
}

static const char *object_path(struct generation *g, const struct compile_build *build,
                               size_t index) {
    return arena_printf(&g->arena, "%s/%s.%zu.o", g->directory, build->program, index);
}

/* *out_job is what compiles it. */
static void describe_object(struct object_file *out, struct job *out_job, struct generation *g,
                            const struct compile_build *build, size_t index) {
    const struct compile_command *command = &g->commands.compiles.items[index];
    words options = {0};
    out->path = object_path(g, build, index);
    out->name = path_base(out->path);
    out->log = arena_printf(&g->arena, "%s.log", out->path);
    out->made_from = arena_printf(&g->arena, "%s.d", out->path);
    out->directory = command->directory;
    option_words(g, build, command, &options);
    if (!build->counts && shared_text_is_used(&g->program))
        vec_push(&options, arena_printf(&g->arena, "-DBSIM_UNIT=%zu", index));
    out->options = finished(g, &options);
    for (size_t i = 0; i + 1 < options.count; i++)
        vec_push(&out_job->command, options.items[i]);
    vec_dispose(&options);
    const char *const rest[] = {
        "-MD", "-MF", out->made_from, "-c", source_path(g, build, command), "-o", out->path};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        vec_push(&out_job->command, rest[i]);
    out->command = finished(g, &out_job->command);
    out_job->log = out->log;
    out_job->source = arena_printf(&g->arena, "%s for the %s", generate_relative(g, command->file),
                                   build->program);
}

typedef VEC(struct object_file) object_files;

static int compile_units(struct generation *g, const struct compile_build *build, struct jobs *jobs,
                         object_files *objects, struct error *error) {
    for (size_t i = 0; i < g->commands.compiles.count; i++) {
        struct object_file object = {0};
        struct job job = {0};
        bool is_taken = false;
        describe_object(&object, &job, g, build, i);
        job.may_fail = may_fail(g, build);
        if (objects_take(&is_taken, g, &object, error) != 0) {
            vec_dispose(&job.command);
            return -1;
        }
        vec_push(objects, object);
        g->summary.objects += !build->counts;
        g->summary.objects_compiled += !build->counts && !is_taken;
        if (is_taken)
            vec_dispose(&job.command);
        else if (jobs_start(jobs, job, object.directory, error) != 0)
            return -1;
    }
    return 0;
}

static const char *id_path(struct generation *g, const struct compile_build *build,
                           const char *suffix) {
    return arena_printf(&g->arena, "%s/%s.id%s", g->directory, build->program, suffix);
}

/* Rewritten headers want bsim.h, which would declare the id. */
static void drop_forced_includes(words *list) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (forces_include(list->items[i]))
            i++;
        else
            list->items[kept++] = list->items[i];
    list->count = kept;
}

/* bsim.h leaves a weak definition in each unit; this is the one that counts. */
static int compile_id(struct generation *g, const struct compile_build *build, struct jobs *jobs,
                      struct error *error) {
    const struct compile_command *command = &g->commands.compiles.items[0];
    const char *source = id_path(g, build, ".c");
    const char *text = arena_printf(&g->arena,
                                    "extern const char bsim_bundle_id[] "
                                    "__attribute__((visibility(\"hidden\")));\n"
                                    "const char bsim_bundle_id[] = \"%s\";\n",
                                    g->bundle_id);
    struct job job = {.log = id_path(g, build, ".o.log"), .source = "the bundle id"};
    if (file_write(source, text, strlen(text), error) != 0)
        return -1;
    add_compiler(g, build, command, &job.command);
    add_options(g, build, command, &job.command);
    drop_forced_includes(&job.command);
    const char *const rest[] = {"-w", "-g0", "-c", source, "-o", id_path(g, build, ".o"), NULL};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        vec_push(&job.command, rest[i]);
    return jobs_start(jobs, job, command->directory, error);
}

static const char *runtime_object(struct generation *g, const char *source) {
    return arena_printf(&g->arena, "%s/%s.o", g->directory, path_base(source));
}

/* For an MPI that the library was not built with. */
static int compile_profile_runtime(struct generation *g, struct jobs *jobs, struct error *error) {
    if (profile_runtime_is_built(g))
        return 0;
    if ((g->profile_sources = profile_runtime_sources(g, error)) == NULL)
        return -1;
    for (const char *const *source = g->profile_sources; *source != NULL; source++) {
        const char *object = runtime_object(g, *source);
        struct job job = {.log = arena_printf(&g->arena, "%s.log", object),
                          .source = arena_printf(&g->arena, "mpiskel's own %s", *source)};
        push_all(&job.command, profile_runtime_command(g, *source, object));
        vec_push(&job.command, NULL);
        if (jobs_start(jobs, job, g->commands.compiles.items[0].directory, error) != 0)
            return -1;
    }
    return 0;
}

static void add_library(struct generation *g, const struct compile_build *build, words *out) {
    bool is_profile = strcmp(build->program, "profile") == 0;
    vec_push(out, id_path(g, build, ".o"));
    const char *const *source = is_profile ? g->profile_sources : NULL;
    for (; source != NULL && *source != NULL; source++)
        vec_push(out, runtime_object(g, *source));
    if (source == NULL)
        vec_push(out, arena_printf(&g->arena, "%s/%s", g->options->libraries, build->library));
}

static bool is_linker_for_mpi(const char *word) {
    return strcmp(word, "-lmpi") == 0 || text_has_prefix(word, "-lmpich") ||
           text_has_prefix(word, "-lopen-");
}

static int link_program(struct generation *g, const struct compile_build *build, struct jobs *jobs,
                        struct error *error) {
    struct compile_arguments arguments = {0};
    struct job job = {.log = log_path(g, build->program),
                      .source = build->program,
                      .may_fail = may_fail(g, build)};
    const char *first = g->commands.compiles.items[0].arguments.items[0];
    const char *linker = g->link != NULL ? g->link->arguments.items[0] : first;
    if (build->counts)
        scout_compiler_add(&g->scout_compiler, linker, &job.command);
    else
        vec_push(&job.command, build->smpi ? g->smpi_compiler.link : linker);
    words members = {0};
    for (size_t i = 0; i < g->commands.compiles.count; i++)
        vec_push(g->commands.compiles.items[i].in_archive ? &members : &job.command,
                 object_path(g, build, i));
    int result = archive_add(&job.command, g, build->program, &members, error);
    vec_dispose(&members);
    if (result != 0)
        return -1;
    if (build->counts)
        vec_push(&job.command, "--coverage");
    else
        add_library(g, build, &job.command);
    if (g->link != NULL)
        commands_link_arguments(&arguments, &g->arena, &g->commands, g->link);
    if (build->counts)
        scout_compiler_filter(&g->scout_compiler, arguments.items, &arguments.count);
    for (int i = 0; i < arguments.count; i++)
        if (!build->smpi || !is_linker_for_mpi(arguments.items[i]))
            vec_push(&job.command, arguments.items[i]);
    if (g->lacks_definitions)
        vec_push(&job.command, "-Wl,--allow-multiple-definition");
    vec_push(&job.command, "-lm");
    if (build->smpi) { /* as in an executable, its own functions come before libc's */
        vec_push(&job.command, "-Wl,-Bsymbolic");
        vec_push(&job.command, "-Wl,--strip-debug"); /* ranks may have a copy each */
    }
    vec_push(&job.command, "-o");
    vec_push(&job.command, path_join(&g->arena, g->directory, build->program));
    if (build->smpi)
        push_all(&job.command, g->smpi_compiler.libraries);
    vec_push(&job.command, NULL);
    return jobs_start(jobs, job, g->directory, error);
}

static void keep_messages(struct generation *g) {
    VEC(const char *) logs = {0};
    for (size_t i = 0; i < g->commands.compiles.count; i++)
        vec_push(&logs, arena_printf(&g->arena, "%s.log", object_path(g, &builds[0], i)));
    build_log_write(g, logs.items, logs.count);
    vec_dispose(&logs);
}

static void remove_leftovers(struct generation *g) {
    for (size_t b = 0; b < sizeof builds / sizeof *builds; b++) {
        remove(log_path(g, builds[b].program));
        remove(archive_path(g, builds[b].program));
        for (size_t i = 0; i < g->commands.compiles.count; i++) {
            const char *object = object_path(g, &builds[b], i);
            remove(object);
            remove(arena_printf(&g->arena, "%s.log", object));
            remove(arena_printf(&g->arena, "%s.d", object));
        }
        static const char *const suffixes[] = {".c", ".o", ".o.log"};
        for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
            remove(id_path(g, &builds[b], suffixes[i]));
    }
    const char *const *source = g->profile_sources;
    for (; source != NULL && *source != NULL; source++) {
        remove(runtime_object(g, *source));
        remove(arena_printf(&g->arena, "%s.log", runtime_object(g, *source)));
    }
}

int generate_compile_scout(struct generation *g, const char *directory, struct error *error) {
    struct jobs jobs = {.limit = g->options->jobs, .silent = !g->scout_compiler.optimizes};
    object_files objects = {0};
    const char *bundle = g->directory;
    g->directory = directory;
    g->lacks_definitions = instances_lack_definitions(&g->program);
    int result = compile_units(g, &scout_build, &jobs, &objects, error);
    if (jobs_finish(&jobs, error) != 0)
        result = -1;
    if (result == 0)
        result = link_program(g, &scout_build, &jobs, error);
    if (jobs_finish(&jobs, error) != 0)
        result = -1;
    vec_dispose(&objects);
    vec_dispose(&jobs.running);
    g->directory = bundle;
    return result;
}

static int compile_program(struct generation *g, const struct compile_build *build,
                           struct jobs *jobs, object_files *objects, struct error *error) {
    int result = compile_units(g, build, jobs, objects, error);
    return result != 0 ? result : compile_id(g, build, jobs, error);
}

/* The skeleton once more, with plain variables, if it could not be built otherwise. */
static int compile_plain(struct generation *g, struct jobs *jobs, object_files *skeleton,
                         struct error *error) {
    if (!jobs->has_failed)
        return 0;
    jobs->has_failed = false;
    g->has_plain_variables = true;
    skeleton->count = 0;
    int result = compile_program(g, &builds[0], jobs, skeleton, error);
    return jobs_finish(jobs, error) != 0 ? -1 : result;
}

static int compile_all(struct generation *g, struct jobs *jobs, object_files *skeleton,
                       object_files *others, struct error *error) {
    int result = 0;
    for (size_t i = 0; i < sizeof builds / sizeof *builds && result == 0; i++)
        result = compile_program(g, &builds[i], jobs, i == 0 ? skeleton : others, error);
    if (result == 0)
        result = compile_profile_runtime(g, jobs, error);
    if (jobs_finish(jobs, error) != 0)
        result = -1;
    return result == 0 ? compile_plain(g, jobs, skeleton, error) : result;
}

static int link_all(struct generation *g, struct jobs *jobs, object_files *skeleton,
                    struct error *error) {
    int result = 0;
    for (size_t i = 0; i < sizeof builds / sizeof *builds && result == 0; i++)
        result = link_program(g, &builds[i], jobs, error);
    if (jobs_finish(jobs, error) != 0 || result != 0)
        return -1;
    if (!jobs->has_failed)
        return 0;
    result = compile_plain(g, jobs, skeleton, error);
    if (result == 0)
        result = link_program(g, &builds[0], jobs, error);
    return jobs_finish(jobs, error) != 0 ? -1 : result;
}

static int keep_objects(struct generation *g, const object_files *objects, struct error *error) {
    for (size_t i = 0; i < objects->count; i++)
        if (objects_keep(g, &objects->items[i], error) != 0)
            return -1;
    return 0;
}

int generate_compile(struct generation *g, struct error *error) {
    struct jobs jobs = {.limit = g->options->jobs};
    object_files skeleton = {0}, others = {0};
    g->smpi_compiler =
        smpi_compiler_choose(&g->arena, g->commands.compiles.items[0].arguments.items[0]);
    g->lacks_definitions = instances_lack_definitions(&g->program);
    g->has_plain_variables = !sharing_is_possible(&g->program, &g->commands, g->link);
    int result = compile_all(g, &jobs, &skeleton, &others, error);
    if (result == 0)
        result = link_all(g, &jobs, &skeleton, error);
    if (result == 0)
        result = keep_objects(g, &skeleton, error);
    if (result == 0)
        result = keep_objects(g, &others, error);
    if (result == 0)
        keep_messages(g);
    remove_leftovers(g);
    vec_dispose(&skeleton);
    vec_dispose(&others);
    vec_dispose(&jobs.running);
    objects_dispose(g);
    return result;
}
