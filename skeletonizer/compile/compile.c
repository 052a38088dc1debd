/* SPDX-License-Identifier: Apache-2.0
 *
 * Notes down for each of the three programs what builds it, and builds those that are wanted now:
 * what is left is built when something first needs it, by the same notes (later.c). They are also
 * written for programs that are built at once: what is removed of a bundle, or does not run on this
 * machine, can be built again. Nothing is left for later where a program takes files of the
 * application's of which the bundle has no copy: by then they could be others than in the profiling
 * build.
 *
 * Thread-local variables, which keep the skeleton's ranks apart, are not for every program: only
 * its compiler tells. So there are notes for a skeleton with plain variables, too.
 */
#include "skeletonizer/compile/compile.h"

#include "base/file.h"
#include "base/str.h"
#include "frontend/commands/link_arguments.h"
#include "skeletonizer/compile/linker.h"
#include "skeletonizer/compile/program_steps.h"
#include "skeletonizer/rewrite/shareable.h"
#include "skeletonizer/slice/instances.h"

enum { SKELETON, PROFILE, ORIGINAL, BUILD_COUNT };

static const struct compile_build builds[BUILD_COUNT] = {
    {"skeleton", "src", "-DBSIM_SKELETON", "libbsim_skeleton.a", true, true, false, false},
    {"profile", "src.profile", "-DBSIM_PROFILE", "libbsim_profile.a", false, false, false, false},
    {"original", "src.original", "-DBSIM_ORIGINAL", "libbsim_original.a", true, false, false,
     false},
};

static const struct compile_build scout_build = {"scout", NULL,  NULL, NULL,
                                                 false,   false, true, false};

static int find_link_options(struct compilation *c, struct error *error) {
    return c->link != NULL && !c->is_one_rank
               ? 0
               : unlinked_options(&c->unlinked, c->arena, c->commands, linker_choose(c),
                                  c->libraries, error);
}

int compile_scout(struct compilation *c, struct error *error) {
    struct later later = {0};
    struct later_work work = {.arena = c->arena,
                              .directory = c->directory,
                              .objects = &c->objects,
                              .jobs = {.limit = c->jobs, .silent = !c->scout_compiler->optimizes}};
    c->lacks_definitions = instances_lack_definitions(c->program);
    int result = find_link_options(c, error);
    if (result == 0)
        result = program_steps(&later, c, &scout_build, error);
    if (result == 0)
        result = later_carry_out(&later, &work, error);
    later_dispose(&later);
    later_work_dispose(&work);
    objects_dispose(&c->objects);
    hash_table_dispose(&c->smpi_compilers);
    return result;
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

/* The objects of a program that is not built now are kept for when it is. */
static int carry_objects(struct compilation *c, const struct later *later, struct error *error) {
    for (size_t i = 0; i < later->steps.count; i++) {
        const struct object_file *object = later->steps.items[i].object;
        if (object != NULL && cache_carry(c->objects.cache, object->name, error) != 0)
            return -1;
    }
    return 0;
}

static int note_program(struct compilation *c, size_t build, const char *name, bool is_now,
                        struct error *error) {
    struct later later = {0};
    int result = program_steps(&later, c, &builds[build], error);
    if (result == 0)
        result = later_write(&later, c->arena, c->directory, name, error);
    if (result == 0 && !is_now)
        result = carry_objects(c, &later, error);
    later_dispose(&later);
    return result;
}

static int note_all(struct compilation *c, const bool *is_now, struct error *error) {
    bool may_share = sharing_is_possible(c->program, c->commands, c->link);
    c->has_plain_variables = !may_share;
    for (size_t i = 0; i < BUILD_COUNT; i++)
        if (note_program(c, i, later_commands_path(c->arena, builds[i].program), is_now[i],
                         error) != 0)
            return -1;
    c->has_plain_variables = true;
    return may_share
               ? note_program(c, SKELETON, later_other_path(c->arena, builds[SKELETON].program),
                              is_now[SKELETON], error)
               : 0;
}

static int build_program(struct compilation *c, size_t build, struct error *error) {
    struct later_request request = {.bundle = c->directory,
                                    .output = c->output,
                                    .program = builds[build].program,
                                    .old_cache = c->objects.cache->old,
                                    .dependencies = c->objects.dependencies,
                                    .jobs = c->jobs};
    int result = later_build(&request, error);
    c->object_count += request.object_count;
    c->compiled_count += request.compiled_count;
    return result;
}

/* Whether a library is taken from the directory; those that were made of units are no longer in
 * `words`. */
static bool has_library(struct compilation *c, const struct compile_arguments *words,
                        const char *directory) {
    static const char *const endings[] = {".so", ".a"};
    for (int i = 0; i < words->count; i++)
        for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
            const char *name = words->items[i];
            if (!text_has_prefix(name, "-l"))
                break;
            name =
                name[2] == ':' ? name + 3 : arena_printf(c->arena, "lib%s%s", name + 2, endings[k]);
            if (file_exists(path_join(c->arena, directory, name)))
                return true;
        }
    return false;
}

static bool links_files_of_application(struct compilation *c) {
    struct compile_arguments words = {0};
    if (c->link != NULL)
        link_arguments_read(&words, c->arena, c->commands, c->link);
    for (int i = 0; i < words.count; i++) {
        bool is_directory = text_has_prefix(words.items[i], "-L");
        const char *path = words.items[i] + (is_directory ? 2 : 0);
        if (path[0] == '/' && path_inside(c->program->root, path) &&
            (!is_directory || has_library(c, &words, path)))
            return true;
    }
    return false;
}

static bool takes_files_of_application(struct compilation *c) {
    for (size_t i = 0; i < c->program->units.count; i++)
        if (c->program->units.items[i]->stays_whole)
            return true;
    return links_files_of_application(c);
}

static int compile_all(struct compilation *c, struct error *error) {
    bool is_all = takes_files_of_application(c);
    const bool is_now[BUILD_COUNT] = {is_all || c->with_skeleton, true, is_all || c->with_original};
    if (note_all(c, is_now, error) != 0)
        return -1;
    for (size_t i = 0; i < BUILD_COUNT; i++)
        if (is_now[i] && build_program(c, i, error) != 0)
            return -1;
    return 0;
}

/* What is not built now needs it later. */
static int check_smpi_compiler(struct compilation *c, struct error *error) {
    const char *name = c->smpi_compiler.link;
    return program_find(c->arena, name) != NULL
               ? 0
               : error_set(error,
                           "there is no %s, which links skeletons: install SimGrid (see `mpiskel "
                           "doctor`)",
                           name);
}

int compile_programs(struct compilation *c, struct error *error) {
    if (choose_compilers(c, error) != 0)
        return -1;
    c->lacks_definitions = instances_lack_definitions(c->program);
    int result = check_smpi_compiler(c, error);
    if (result == 0)
        result = find_link_options(c, error);
    if (result == 0)
        result = compile_all(c, error);
    replacement_dispose(&c->counting_compiler);
    objects_dispose(&c->objects);
    hash_table_dispose(&c->smpi_compilers);
    return result;
}
