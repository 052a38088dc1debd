/* SPDX-License-Identifier: Apache-2.0
 *
 * Options keep their order. What names files of the application's is told anew where that file was
 * rewritten; what belongs to linking, and for SMPI what leads to another mpi.h, is left out.
 */
#include "skeletonizer/compile/unit_command.h"

#include "base/file.h"
#include "base/str.h"

#include <string.h>

/* A loop takes other times at other places of a cache line (those of CoMD and examples/plu up to a
 * fifth), and what mpiskel adds, or SMPI wants, moves the code behind it. So functions and loops
 * begin with a line in all builds, unless the application's own options say otherwise. */
static const char *const aligned[] = {"-falign-functions=64", "-falign-loops=64"};

/* Programs for SMPI are shared libraries, and code for these takes each function that is not static
 * for one that another library may replace, so that none of them is inlined: a loop around a global
 * `min` took 1.5 times as long. Where the application itself asks for such code all stays so. */
static const char *const as_in_executables[] = {"-fPIC", "-fno-semantic-interposition"};
static const char *const positions[] = {"-fno-pic", "-fno-PIC", "-fno-pie", "-fno-PIE", "-fpie",
                                        "-fPIE",    "-fpic",    "-fPIC",    NULL};

typedef compiler_words words;

/* Where its sources lie. */
static const char *folder_of(const struct compilation *c, const struct compile_build *build) {
    if (build->is_plain)
        return NULL;
    if (strcmp(build->program, "original") == 0 && c->rewrites_original)
        return "src.profile";
    return build->folder;
}

static bool is_mpi_include(struct compilation *c, const char *word) {
    return text_has_prefix(word, "-I") && file_exists(path_join(c->arena, word + 2, "mpi.h"));
}

static const char *rewritten(struct compilation *c, const struct compile_build *build,
                             const char *path) {
    return arena_printf(c->arena, "%s/%s/%s", c->directory, folder_of(c, build),
                        path_relative(c->arena, c->program->root, path));
}

/* A directory of the application's comes behind that of its rewritten headers. `option` is the word
 * before. */
static void add_includes(struct compilation *c, const struct compile_build *build,
                         const char *option, const char *word, words *out) {
    static const char *const options[] = {"-iquote", "-isystem", "-idirafter", NULL};
    bool is_rewritten = folder_of(c, build) != NULL;
    if (is_rewritten && text_has_prefix(word, "-I") && path_inside(c->program->root, word + 2))
        vec_push(out, arena_printf(c->arena, "-I%s", rewritten(c, build, word + 2)));
    if (is_rewritten && text_is_one_of(option, options) && path_inside(c->program->root, word)) {
        vec_push(out, rewritten(c, build, word));
        vec_push(out, option);
    }
    vec_push(out, word);
}

/* `-include config.h`: the rewritten one. */
static const char *forced_include(struct compilation *c, const struct compile_build *build,
                                  const char *path) {
    const char *root = c->program->root;
    if (folder_of(c, build) == NULL || path[0] != '/' || !path_inside(root, path))
        return path;
    return rewritten(c, build, path);
}

static bool forces_include(const char *word) {
    return strcmp(word, "-include") == 0 || strcmp(word, "-imacros") == 0;
}

/* The last one counts. */
static bool is_for_libraries(const struct compile_arguments *arguments) {
    const char *last = "";
    for (int i = 0; i < arguments->count; i++)
        if (text_is_one_of(arguments->items[i], positions))
            last = arguments->items[i];
    return strcmp(last, "-fpic") == 0 || strcmp(last, "-fPIC") == 0;
}

static void add_position(const struct compile_arguments *arguments, words *out) {
    size_t count = is_for_libraries(arguments) ? 1 : 2;
    for (size_t i = 0; i < count; i++)
        vec_push(out, as_in_executables[i]);
}

static void add_options(struct compilation *c, const struct compile_build *build,
                        const struct compile_command *command, words *out) {
    struct compile_arguments arguments;
    commands_build_arguments(&arguments, c->arena, command);
    if (build->counts) {
        replacement_filter(&c->scout_compiler->replacement, arguments.items, &arguments.count);
        scout_compiler_serialize(arguments.items, arguments.count);
    }
    if (c->counting != COUNTING_NOT)
        replacement_filter(&c->counting_compiler, arguments.items, &arguments.count);
    if (build->smpi && c->has_one_thread) { /* ranks share what OpenMP keeps of a thread */
        scout_compiler_serialize(arguments.items, arguments.count);
        vec_push(out, "-Wno-unknown-pragmas");
    }
    if (build->smpi)
        add_position(&arguments, out);
    for (int i = 0; i < arguments.count; i++) {
        const char *word = arguments.items[i];
        bool is_others =
            build->smpi && (is_mpi_include(c, word) || text_is_one_of(word, positions));
        bool skip = is_others || text_has_prefix(word, "-l") || text_has_prefix(word, "-L") ||
                    text_has_prefix(word, "-Wl,");
        if (!skip && i > 0 && forces_include(arguments.items[i - 1]))
            vec_push(out, forced_include(c, build, word));
        else if (!skip)
            add_includes(c, build, i > 0 ? arguments.items[i - 1] : "", word, out);
    }
    if (c->lacks_definitions)
        vec_push(out, "-fgnu89-inline"); /* each unit has one */
}

void unit_command_add(words *out, const char *const *items) {
    for (; *items != NULL; items++)
        vec_push(out, *items);
}

/* What counts is compiled by one compiler. */
static const struct smpi_compiler *smpi_compiler_of(struct compilation *c,
                                                    const struct compile_command *command) {
    const char *name = command->arguments.items[0];
    if (c->counting != COUNTING_NOT)
        return &c->smpi_compiler;
    const char *key = command->is_cxx ? arena_printf(c->arena, "c++ %s", name) : name;
    struct smpi_compiler *out = hash_table_find_text(&c->smpi_compilers, key);
    if (out == NULL) {
        out = hash_table_add_text(&c->smpi_compilers, key, sizeof *out);
        *out = smpi_compiler_choose(c->arena, command->is_cxx ? NULL : name,
                                    command->is_cxx ? name : NULL);
    }
    return out;
}

static void add_compiler(struct compilation *c, const struct compile_build *build,
                         const struct compile_command *command, words *out) {
    const char *name = command->arguments.items[0];
    if (command->environment != NULL)
        unit_command_add(out, command->environment);
    if (build->smpi) {
        const struct smpi_compiler *smpi = smpi_compiler_of(c, command);
        vec_push(out, command->is_cxx ? smpi->compile_cxx : smpi->compile[0]);
        unit_command_add(out, smpi->compile + 1);
    } else if (build->counts)
        replacement_add(&c->scout_compiler->replacement, name, command->is_cxx, out);
    else if (c->counting != COUNTING_NOT)
        replacement_add(&c->counting_compiler, name, command->is_cxx, out);
    else
        vec_push(out, name);
}

/* Functions of MPI that the program defines itself: calls of these are none of MPI's. */
static void add_own_mpi(struct compilation *c, words *out) {
    for (size_t i = 0; i < c->program->functions.count; i++)
        if (program_is_own_mpi(c->program->functions.items[i]))
            vec_push(out,
                     arena_printf(c->arena, "-DBSIM_OWN_%s", c->program->functions.items[i]->name));
}

static void add_runtime(struct compilation *c, const struct compile_build *build, words *out) {
    vec_push(out, build->define);
    if (build->is_skeleton && c->has_plain_variables)
        vec_push(out, "-DBSIM_PRIVATE=");
    add_own_mpi(c, out);
    /* The mpi.h of each: SimGrid's, and that by which calls tell where they are. */
    vec_push(out, arena_printf(c->arena, "-I%s/%s", c->libraries,
                               build->smpi ? "parse" : "include/places"));
    vec_push(out, arena_printf(c->arena, "-I%s/include", c->libraries));
    vec_push(out, "-include");
    vec_push(out, arena_printf(c->arena, "%s/include/bsim.h", c->libraries));
}

/* __FILE__ is as in reports for SMPI, relative to the application's root. */
static void add_prefix_maps(struct compilation *c, const struct compile_build *build, words *out) {
    struct arena *arena = c->arena;
    const char *folder = folder_of(c, build) == NULL
                             ? c->program->root
                             : arena_printf(arena, "%s/%s", c->directory, folder_of(c, build));
    if (build->smpi) { /* without debugging information */
        vec_push(out, arena_printf(arena, "-fmacro-prefix-map=%s/=", folder));
        return;
    }
    vec_push(out, arena_printf(arena, "-fmacro-prefix-map=%s=%s", folder, c->program->root));
    vec_push(out, arena_printf(arena, "-fdebug-prefix-map=%s=%s", c->directory,
                               path_absolute(arena, path_current(arena), c->output)));
}

/* NULL: another unit does. */
static const struct function *main_in(const struct compilation *c,
                                      const struct compile_command *command) {
    const struct function *function = program_function(c->program, "main");
    bool is_here = function != NULL && &c->commands->compiles.items[function->unit] == command;
    return is_here ? function : NULL;
}

/* Of `int (void)`: its name goes before the parameters, and the symbol before attributes. */
static const char *main_option(struct arena *arena, const char *type) {
    size_t result = strcspn(type, "("), length = strlen(type);
    const char *attributes = strstr(type, " __attribute__");
    if (attributes != NULL)
        length = (size_t)(attributes - type);
    return arena_printf(arena, "-DBSIM_MAIN=%.*smain%.*s", (int)result, type,
                        (int)(length - result), type + result);
}

bool unit_command_is_counted(const struct compilation *c, const struct compile_build *build) {
    return c->counting != COUNTING_NOT && !build->is_skeleton && !build->counts;
}

void unit_command_options(struct compilation *c, const struct compile_build *build,
                          const struct compile_command *command, words *out) {
    struct arena *arena = c->arena;
    const struct function *main_function = main_in(c, command);
    add_compiler(c, build, command, out);
    if (!build->counts) {
        add_runtime(c, build, out);
        if (c->is_one_rank && main_function != NULL)
            vec_push(out, main_option(arena, main_function->declaration->type->name));
        for (size_t i = 0; i < sizeof aligned / sizeof *aligned; i++)
            vec_push(out, aligned[i]);
    }
    add_options(c, build, command, out);
    if (build->counts) {
        vec_push(out, "--coverage");
        vec_push(out, "-fprofile-update=atomic"); /* OpenMP */
        if (!c->scout_compiler->optimizes)
            vec_push(out, "-O0");
    } else {
        add_prefix_maps(c, build, out);
    }
    if (unit_command_is_counted(c, build)) {
        vec_push(out, "-DBSIM_COUNTED");
        counting_add_options(out, c->counting);
    }
    if (build->smpi && main_function != NULL) /* SMPI looks for it */
        vec_push(out, "-fvisibility=default");
    if (build->smpi) /* clang declares exit itself, by libc's symbol, where the program does not */
        vec_push(out, "-fno-builtin-exit");
    vec_push(out, "-iquote");
    vec_push(out, path_directory(arena, command->file));
    vec_push(out, "-Wno-error");
    vec_push(out, "-Wno-unused-parameter"); /* what only removed code looked at, */
    vec_push(out, "-Wno-unused-variable");  /* but whose initialiser does something */
    if (command->is_cxx) {
        vec_push(out, "-fno-access-control"); /* features name private members */
        vec_push(out, "-Wno-narrowing");      /* and are all turned into double */
    }
    vec_push(out, "-Wno-dangling-else"); /* BSIM_ENTER, of a loop under an `if` without braces */
    vec_push(out, "-Wno-address");       /* features: an array for a pointer that may be NULL */
    if (build->smpi)
        vec_push(out, "-g0"); /* the link would strip it */
}

const char *unit_command_source(struct compilation *c, const struct compile_build *build,
                                const struct compile_command *command) {
    if (folder_of(c, build) == NULL)
        return command->file;
    return rewritten(c, build, command->file);
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

void unit_command_id_options(struct compilation *c, const struct compile_build *build,
                             const struct compile_command *command, words *out) {
    add_compiler(c, build, command, out);
    add_options(c, build, command, out);
    drop_forced_includes(out);
}
