/* SPDX-License-Identifier: Apache-2.0
 *
 * Members that the application's link takes of static libraries are extracted and linked into a
 * shared library, as the skeleton is, with a stand-in for what the program defines: what a linker
 * says there ends in "recompile with -fPIC" where they are not position-independent. `nm` tells
 * whether they, or a shared library of which the program calls a function, ask for functions of
 * MPI; an MPI itself defines MPI_Init.
 *
 * Objects that were not compiled from C (check_objects.h) are linked with those members.
 *
 * Not handled: shared libraries that are linked by others only.
 */
#include "skeletonizer/check_libraries.h"

#include "base/file.h"
#include "base/str.h"
#include "frontend/commands/link_arguments.h"
#include "frontend/commands/link_trace.h"
#include "skeletonizer/binutils.h"
#include "skeletonizer/check_objects.h"

#include <stdlib.h>
#include <string.h>

struct extracted_member {
    const char *archive, *name; /* archive NULL: an object, with its path */
    const char *path;           /* of a member: in the temporary directory */
};

struct library_check {
    struct program *program;
    const struct commands *commands;
    const struct link_command *link;
    struct binutils binutils;
    VEC(struct extracted_member) members;
    const char *binary_mpi; /* shared libraries that were warned of; NULL: none */
};

/* A function of MPI that it asks for; NULL: none, or it is an MPI itself. */
static const char *mpi_function(struct library_check *c, const char *file, bool is_shared) {
    struct arena *arena = &c->program->arena;
    const char *kind = is_shared ? "-D" : "-g";
    const char *defined =
        binutils_symbols(&c->binutils, (const char *[]){"-g", kind, "--defined-only", NULL}, file);
    const char *asked =
        binutils_symbols(&c->binutils, (const char *[]){"-g", kind, "-u", NULL}, file);
    if (binutils_find(arena, defined, "MPI_Init", true) != NULL)
        return NULL;
    return binutils_find_mpi(arena, asked);
}

/* ---- Static libraries ---- */

/* What is linked with any program is the compiler's or the C library's. */
static bool is_of_compiler(const char *path) {
    return strstr(path, "/gcc/") != NULL || text_has_prefix(path_base(path), "libc.") ||
           text_has_prefix(path_base(path), "libc_");
}

static bool is_looked_at_before(const struct library_check *c, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (c->link->members.items[i].archive != NULL &&
            strcmp(c->link->members.items[i].archive, c->link->members.items[index].archive) == 0)
            return true;
    return false;
}

/* Members that the link takes are put into `directory`; those of one name are one file. */
static void extract(struct library_check *c, const char *archive, const char *directory) {
    struct error ignored = {0};
    binutils_words command = {0};
    const char *text;
    vec_push(&command, "ar");
    vec_push(&command, "x");
    vec_push(&command, archive);
    for (size_t i = 0; i < c->link->members.count; i++) {
        const struct link_member *member = &c->link->members.items[i];
        if (member->archive != NULL && strcmp(member->archive, archive) == 0)
            vec_push(&command, member->name);
    }
    if (directory_make(directory, &ignored) == 0)
        binutils_run(&text, &c->binutils, directory, &command);
    else
        vec_dispose(&command);
}

static bool is_extracted(const struct library_check *c, const char *path) {
    for (size_t i = 0; i < c->members.count; i++)
        if (strcmp(c->members.items[i].path, path) == 0)
            return true;
    return false;
}

static void add_archive(struct library_check *c, size_t index) {
    struct arena *arena = &c->program->arena;
    const char *archive = c->link->members.items[index].archive;
    const char *directory = arena_printf(arena, "%s/%zu", c->binutils.directory, index);
    extract(c, archive, directory);
    for (size_t i = index; i < c->link->members.count; i++) {
        const struct link_member *member = &c->link->members.items[i];
        if (member->archive == NULL || strcmp(member->archive, archive) != 0)
            continue;
        struct extracted_member one = {archive, member->name,
                                       path_join(arena, directory, member->name)};
        if (file_exists(one.path) && !is_extracted(c, one.path))
            vec_push(&c->members, one);
    }
}

static void check_mpi(struct library_check *c) {
    for (size_t i = 0; i < c->members.count; i++) {
        const struct extracted_member *member = &c->members.items[i];
        const char *name = member->archive != NULL ? mpi_function(c, member->path, false) : NULL;
        if (name != NULL)
            program_report(c->program, (struct range){-1, 0, 0}, "error",
                           "%s(%s) calls '%s' and was not compiled in the recorded build, so that "
                           "its calls are not known: let the build that is captured compile it, "
                           "too",
                           member->archive, member->name, name);
    }
}

static void add_objects(struct library_check *c) {
    struct arena *arena = &c->program->arena;
    link_objects objects = {0};
    check_objects(&objects, c->program, &c->binutils, c->commands, c->link);
    for (size_t i = 0; i < objects.count; i++) {
        const char *path = objects.items[i];
        bool is_inside = path_inside(c->program->root, path);
        const char *name = is_inside ? path_relative(arena, c->program->root, path) : path;
        vec_push(&c->members, ((struct extracted_member){NULL, name, path}));
    }
    vec_dispose(&objects);
}

static bool has_objects(const struct commands *commands, const struct link_command *link) {
    link_objects objects = {0};
    link_arguments_objects(&objects, commands, link);
    bool found = objects.count > 0;
    vec_dispose(&objects);
    return found;
}

/* ---- Whether they can be linked ---- */

/* What the program defines, so that its names are not undefined where it is not linked. */
static const char *write_stand_in(struct library_check *c) {
    const struct program *program = c->program;
    const char *path = path_join(&c->program->arena, c->binutils.directory, "program.s");
    struct str text = {0};
    struct error ignored = {0};
    str_add(&text, ".data\n");
    for (size_t i = 0; i < program->objects.count; i++) {
        const struct object *object = program->objects.items[i];
        bool is_function = object->kind == OBJECT_FUNCTION &&
                           program_function(program, object->declaration->key) != NULL;
        if ((is_function || (object->kind == OBJECT_VARIABLE && object->is_defined)) &&
            object->declaration->external_linkage)
            str_printf(&text, ".globl %s\n.weak %s\n%s:\n", object->name, object->name,
                       object->name);
    }
    str_add(&text, ".zero 8\n");
    file_write(path, str_text(&text), text.length, &ignored);
    str_dispose(&text);
    return path;
}

static bool link_trial(const char **out_text, struct library_check *c) {
    static const char *const rest[] = {
        "-shared", "-nostdlib", "-Wl,-Bsymbolic", "-Wl,--unresolved-symbols=ignore-all",
        "-o",      "trial.so"};
    binutils_words command = {0};
    vec_push(&command, "gcc");
    vec_push(&command, write_stand_in(c));
    for (size_t i = 0; i < c->members.count; i++)
        vec_push(&command, c->members.items[i].path);
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        vec_push(&command, rest[i]);
    return binutils_run(out_text, &c->binutils, c->binutils.directory, &command);
}

static const char *member_name(struct library_check *c, const struct extracted_member *member) {
    return member->archive != NULL
               ? arena_printf(&c->program->arena, "%s(%s)", member->archive, member->name)
               : member->name;
}

static void check_position(struct library_check *c) {
    const char *text;
    if (link_trial(&text, c) || strstr(text, "recompile with -f") == NULL)
        return;
    const struct extracted_member *member = &c->members.items[0];
    for (size_t i = c->members.count; i-- > 0;)
        if (strstr(text, arena_printf(&c->program->arena, "%s: relocation",
                                      c->members.items[i].path)) != NULL)
            member = &c->members.items[i];
    program_report(c->program, (struct range){-1, 0, 0}, "error",
                   "%s is not position-independent, as programs for SimGrid have to be, which are "
                   "shared libraries: build %s",
                   member_name(c, member),
                   member->archive != NULL
                       ? "that library with -fPIC (CFLAGS='-O2 -fPIC', configure --with-pic), or "
                         "link its shared one"
                       : "it with -fPIC");
}

static void check_members(struct library_check *c) {
    int errors = c->program->error_count;
    if (c->members.count > 0)
        check_mpi(c);
    if (c->members.count > 0 && errors == c->program->error_count)
        check_position(c);
}

/* ---- Shared libraries ---- */

/* The first call of a function that the library defines; NULL: it is not called. */
static const struct call *first_call(struct library_check *c, const char *library) {
    const struct program *program = c->program;
    const char *defined = NULL;
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (call->key == NULL || call->mpi != NULL || program_function(program, call->key) != NULL)
            continue;
        if (defined == NULL)
            defined = binutils_symbols(
                &c->binutils, (const char *[]){"-g", "-D", "--defined-only", NULL}, library);
        if (binutils_find(&c->program->arena, defined, call->name, true) != NULL)
            return call;
    }
    return NULL;
}

/* Whether an object that was not compiled from C calls the library, which nothing tells of. */
static const char *calling_object(struct library_check *c, const char *library) {
    const char *defined = binutils_symbols(
        &c->binutils, (const char *[]){"-g", "-D", "--defined-only", NULL}, library);
    for (size_t i = 0; i < c->members.count; i++) {
        const char *path = c->members.items[i].path;
        const char *line = binutils_symbols(&c->binutils, (const char *[]){"-g", "-u", NULL}, path);
        while (line != NULL && *line != '\0') {
            const char *name = arena_strndup(&c->program->arena, line, strcspn(line, " @\n"));
            if (binutils_find(&c->program->arena, defined, name, true) != NULL)
                return c->members.items[i].name;
            line = strchr(line, '\n');
            line += line != NULL;
        }
    }
    return NULL;
}

/* Not one that only another library names. */
static bool is_named(const struct library_check *c, const char *library) {
    struct arena *arena = &c->program->arena;
    for (size_t i = 1; i < c->link->arguments.count; i++) {
        const char *word = c->link->arguments.items[i];
        const char *file = text_has_prefix(word, "-l") ? arena_printf(arena, "lib%s.so", word + 2)
                                                       : path_base(word);
        if (strcmp(file, path_base(library)) == 0)
            return true;
    }
    return false;
}

static void check_shared(struct library_check *c, const char *library) {
    struct arena *arena = &c->program->arena;
    const char *name = mpi_function(c, library, true);
    const struct call *call = name != NULL ? first_call(c, library) : NULL;
    const char *object = name != NULL ? calling_object(c, library) : NULL;
    if (object != NULL)
        program_report(c->program, (struct range){-1, 0, 0}, "error",
                       "%s calls %s, which calls '%s': neither was compiled from C in the recorded "
                       "build, so that those calls are not known: let the build that is captured "
                       "compile them, too",
                       object, library, name);
    if (call == NULL)
        return;
    const char *told = arena_printf(arena, "%s, which calls '%s'", library, name);
    program_report(c->program, call->ast->range, "warning",
                   "'%s' is of %s and was not compiled in the recorded build: in a simulation such "
                   "calls end in SimGrid's MPI, for which it was not compiled, and may crash; let "
                   "the build that is captured compile it, too",
                   call->name, told);
    c->binary_mpi =
        c->binary_mpi != NULL ? arena_printf(arena, "%s; %s", c->binary_mpi, told) : told;
}

/* ---- Libraries that the program loads itself ---- */

static const struct call *first_load(const struct program *program) {
    for (size_t i = 0; i < program->calls.count; i++)
        if (program->calls.items[i]->name != NULL &&
            strcmp(program->calls.items[i]->name, "dlopen") == 0)
            return program->calls.items[i];
    return NULL;
}

static bool is_linked(const struct library_check *c, const struct link_command *made) {
    link_list links = {0};
    link_arguments_links(&links, c->commands, c->link);
    bool found = vec_has(&links, made);
    vec_dispose(&links);
    return found;
}

/* Of the shared libraries that the build makes and does not link. */
static void check_loaded(struct library_check *c) {
    const struct call *load = first_load(c->program);
    for (size_t i = 0; i < c->commands->links.count && load != NULL; i++) {
        const struct link_command *made = &c->commands->links.items[i];
        bool is_one = strstr(path_base(made->output), ".so") != NULL && file_exists(made->output) &&
                      !is_linked(c, made);
        const char *name = is_one ? mpi_function(c, made->output, true) : NULL;
        if (name == NULL)
            continue;
        program_report(c->program, load->ast->range, "error",
                       "the build makes %s, which calls '%s' and is not linked: if it is loaded "
                       "here, its calls are not known; link it into the program and call its "
                       "functions by name",
                       path_relative(&c->program->arena, c->program->root, made->output), name);
        return;
    }
}

/* ---- All of them ---- */

static void check_member(struct library_check *c, size_t index) {
    const struct link_member *member = &c->link->members.items[index];
    const char *path = member->archive != NULL ? member->archive : member->name;
    if (is_of_compiler(path) || link_arguments_is_made_here(c->commands, path))
        return;
    if (member->archive == NULL && strstr(path_base(path), ".so") != NULL && is_named(c, path))
        check_shared(c, path);
    else if (member->archive != NULL && !is_looked_at_before(c, index))
        add_archive(c, index);
}

/* Beside those of the C library and an MPI's own. */
static bool has_libraries(const struct commands *commands, const struct link_command *link) {
    static const char *const usual[] = {"-lm", "-lpthread", "-ldl",    "-lrt",
                                        "-lc", "-lmpi",     "-lmpich", NULL};
    for (size_t i = 1; i < link->arguments.count; i++) {
        const char *word = link->arguments.items[i];
        bool is_one = text_has_prefix(word, "-l") ? !text_is_one_of(word, usual)
                                                  : word[0] != '-' && path_is_library(word);
        if (is_one && strcmp(link->arguments.items[i - 1], "-o") != 0 &&
            !link_arguments_is_made_here(commands, link->inputs.items[i]))
            return true;
    }
    return false;
}

static bool has_libraries_somewhere(const struct commands *commands,
                                    const struct link_command *link) {
    link_list links = {0};
    bool found = false;
    link_arguments_links(&links, commands, link);
    for (size_t i = 0; i < links.count; i++)
        found = found || has_libraries(commands, links.items[i]);
    vec_dispose(&links);
    return found;
}

int check_libraries(const char **out_binary_mpi, struct program *program, struct commands *commands,
                    const struct link_command *link) {
    struct error ignored = {0};
    *out_binary_mpi = NULL;
    if (link == NULL)
        return 0;
    check_objects_sources(program, commands, link);
    if (program->error_count > 0)
        return -1;
    if (!has_libraries_somewhere(commands, link) && !has_objects(commands, link) &&
        first_load(program) == NULL)
        return 0;
    link_trace(commands, link);
    struct library_check check = {.program = program,
                                  .commands = commands,
                                  .link = link,
                                  .binutils = {.arena = &program->arena}};
    check.binutils.directory = directory_temporary(&program->arena, "mpiskel-libraries", &ignored);
    if (check.binutils.directory == NULL)
        return 0;
    add_objects(&check);
    for (size_t i = 0; i < link->members.count; i++)
        check_member(&check, i);
    check_members(&check);
    check_loaded(&check);
    *out_binary_mpi = check.binary_mpi;
    vec_dispose(&check.members);
    directory_remove(check.binutils.directory, &ignored);
    return program->error_count > 0 ? -1 : 0;
}
