/* SPDX-License-Identifier: Apache-2.0
 *
 * The file is a list of texts, each with a zero behind it, since words of commands may hold any
 * byte but that: the id's source, the runtime's path and hash, by which files of commands differ
 * where programs would, what the environment said to compilers, and for each step what is told of
 * it, how many words it has, and these. The directory stands in them as a byte that no command has.
 *
 * Who builds holds a lock on the file. What is made on the way is named PROGRAM.SUFFIX and lies in
 * the bundle, where the commands look for it; the program takes its name last.
 *
 * Objects of an older bundle are taken over where they would come out the same (objects.c).
 */
#include "skeletonizer/compile/later.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/status_line.h"
#include "base/str.h"
#include "frontend/commands/build_environment.h"
#include "skeletonizer/compile/build_log.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define BUNDLE "\001"

const char *later_commands_path(struct arena *arena, const char *program) {
    return path_join(arena, "commands", program);
}

const char *later_other_path(struct arena *arena, const char *program) {
    return arena_printf(arena, "%s.plain", later_commands_path(arena, program));
}

const char *later_id_path(struct arena *arena, const char *program) {
    return arena_printf(arena, "%s.id.s", program);
}

const char *later_part_path(struct arena *arena, const char *program) {
    return arena_printf(arena, "%s.part", program);
}

void later_dispose(struct later *later) {
    for (size_t i = 0; i < later->steps.count; i++)
        vec_dispose(&later->steps.items[i].job.command);
    vec_dispose(&later->steps);
}

/* Writing */

static void add(struct str *out, const char *text) {
    str_addn(out, text, strlen(text) + 1);
}

static size_t count_of(const char *const *words) {
    size_t count = 0;
    while (words[count] != NULL)
        count++;
    return count;
}

/* An object's command begins with its options. */
static void add_step(struct str *out, struct arena *arena, const struct later_step *step,
                     const char *directory) {
    const struct object_file *object = step->object;
    add(out, step->waits ? "waits" : "");
    add(out, object != NULL ? object->name : "");
    add(out, arena_printf(arena, "%zu", object != NULL ? count_of(object->options) : 0));
    add(out, objects_replaced(arena, step->directory, directory, BUNDLE));
    add(out, objects_replaced(arena, step->job.source, directory, BUNDLE));
    add(out, objects_replaced(arena, step->job.log, directory, BUNDLE));
    add(out, arena_printf(arena, "%zu", step->job.command.count - 1));
    for (size_t i = 0; i + 1 < step->job.command.count; i++)
        add(out, objects_replaced(arena, step->job.command.items[i], directory, BUNDLE));
}

static int add_library(struct str *out, struct arena *arena, const char *path,
                       struct error *error) {
    const char *hash = hash_of_file(arena, path);
    if (hash == NULL)
        return error_set(error, "cannot read %s: install mpiskel again", path);
    add(out, path);
    add(out, hash);
    return 0;
}

int later_write(const struct later *later, struct arena *arena, const char *directory,
                const char *name, struct error *error) {
    const char *path = path_join(arena, directory, name);
    struct str text = {0};
    const char *const *environment = build_environment_here(arena);
    add(&text, later->id);
    int result = add_library(&text, arena, later->library, error);
    add(&text, arena_printf(arena, "%zu", count_of(environment)));
    for (; *environment != NULL; environment++)
        add(&text, *environment);
    for (size_t i = 0; i < later->steps.count; i++)
        add_step(&text, arena, &later->steps.items[i], directory);
    if (result == 0)
        result = directory_make(path_directory(arena, path), error);
    if (result == 0)
        result = file_write(path, text.text, text.length, error);
    str_dispose(&text);
    return result;
}

/* Reading */

struct later_reader {
    struct arena *arena;
    const char *bundle, *at, *end;
    bool is_broken;
};

static const char *take(struct later_reader *reader) {
    const char *zero = memchr(reader->at, '\0', (size_t)(reader->end - reader->at));
    if (zero == NULL) {
        reader->is_broken = true;
        return "";
    }
    const char *text = objects_replaced(reader->arena, reader->at, BUNDLE, reader->bundle);
    reader->at = zero + 1;
    return text;
}

static size_t take_count(struct later_reader *reader) {
    char *end;
    const char *text = take(reader);
    unsigned long count = strtoul(text, &end, 10);
    reader->is_broken |= end == text || *end != '\0' || count > (size_t)(reader->end - reader->at);
    return reader->is_broken ? 0 : count;
}

static const char *const *first_words(struct arena *arena, const compiler_words *words,
                                      size_t count) {
    const char **out = ARENA_ARRAY(arena, const char *, count + 1);
    memcpy(out, words->items, count * sizeof *out);
    out[count] = NULL;
    return out;
}

static struct object_file *object_of(struct arena *arena, const char *bundle, const char *name,
                                     size_t options, const struct later_step *step) {
    struct object_file *object = ARENA_NEW(arena, struct object_file);
    object->name = name;
    object->path = path_join(arena, bundle, name);
    object->log = step->job.log;
    object->made_from = arena_printf(arena, "%s.d", object->path);
    object->directory = step->directory;
    object->command = first_words(arena, &step->job.command, step->job.command.count - 1);
    object->options = first_words(arena, &step->job.command, options);
    return object;
}

static void take_step(struct later *out, struct later_reader *reader) {
    struct later_step step = {.waits = strcmp(take(reader), "waits") == 0};
    const char *name = take(reader);
    size_t options = take_count(reader);
    step.directory = take(reader);
    step.job.source = take(reader);
    step.job.log = take(reader);
    size_t count = take_count(reader);
    for (size_t i = 0; i < count; i++)
        vec_push(&step.job.command, take(reader));
    reader->is_broken |= options > count;
    vec_push(&step.job.command, NULL);
    if (!reader->is_broken && *name != '\0')
        step.object = object_of(reader->arena, reader->bundle, name, options, &step);
    vec_push(&out->steps, step);
}

static void set_variable(const char *text) {
    char *name = xstrdup(text), *equals = strchr(name, '=');
    if (equals != NULL) {
        *equals = '\0';
        setenv(name, equals + 1, 1);
    }
    free(name);
}

/* What generate has written is for the runtime that it knew. */
static int check_library(struct arena *arena, const char *path, const char *hash,
                         struct error *error) {
    const char *here = hash_of_file(arena, path);
    return here != NULL && strcmp(here, hash) == 0
               ? 0
               : error_set(error,
                           "the bundle was generated by another mpiskel, whose %s is %s: run "
                           "mpiskel generate again",
                           path, here == NULL ? "not there" : "another one now");
}

static int read_steps(struct later *out, struct arena *arena, const char *bundle, const char *path,
                      struct error *error) {
    char *text = NULL;
    size_t length = 0;
    if (file_read(&text, &length, path, error) != 0)
        return -1;
    struct later_reader reader = {arena, bundle, text, text + length, false};
    out->id = take(&reader);
    const char *library = take(&reader), *hash = take(&reader);
    if (!reader.is_broken && check_library(arena, library, hash, error) != 0) {
        free(text);
        return -1;
    }
    build_environment_leave();
    for (size_t i = take_count(&reader); i > 0; i--)
        set_variable(take(&reader));
    while (reader.at < reader.end && !reader.is_broken)
        take_step(out, &reader);
    free(text);
    return reader.is_broken || out->steps.count == 0
               ? error_set(error, "%s is damaged: run mpiskel generate again", path)
               : 0;
}

/* Carrying out */

static int carry_out_step(struct later_work *work, struct later_step *step, struct error *error) {
    bool is_taken = false;
    struct object_file *object = (struct object_file *)step->object;
    if (step->waits && jobs_finish(&work->jobs, error) != 0)
        return -1;
    if (object != NULL && objects_take(&is_taken, work->objects, object, error) != 0)
        return -1;
    work->object_count += object != NULL;
    work->compiled_count += object != NULL && !is_taken;
    if (is_taken)
        return 0;
    struct job job = step->job;
    step->job.command = (compiler_words){0};
    /* Its words name all files whole, so that a build tree that is gone is not needed. */
    const char *directory = directory_exists(step->directory) ? step->directory : work->directory;
    return jobs_start(&work->jobs, job, directory, error);
}

static int carry_out_all(struct later *later, struct later_work *work, struct error *error) {
    int result = 0;
    if (later->id != NULL)
        result = file_write(
            path_join(work->arena, work->directory, later_id_path(work->arena, later->program)),
            later->id, strlen(later->id), error);
    for (size_t i = 0; i < later->steps.count && result == 0; i++) {
        status_line_show("building the %s: %zu of %zu", later->program, i + 1, later->steps.count);
        result = carry_out_step(work, &later->steps.items[i], error);
    }
    return jobs_finish(&work->jobs, error) != 0 ? -1 : result;
}

static int keep_objects(struct later *later, struct later_work *work, struct error *error) {
    for (size_t i = 0; i < later->steps.count; i++) {
        struct object_file *object = (struct object_file *)later->steps.items[i].object;
        if (object != NULL && objects_keep(work->objects, object, error) != 0)
            return -1;
    }
    return 0;
}

static int put_in_place(const struct later *later, struct later_work *work, struct error *error) {
    struct arena *arena = work->arena;
    const char *program = path_join(arena, work->directory, later->program);
    const char *part = path_join(arena, work->directory, later_part_path(arena, later->program));
    return rename(part, program) == 0
               ? 0
               : error_set(error, "cannot create %s: %s", program, strerror(errno));
}

int later_carry_out(struct later *later, struct later_work *work, struct error *error) {
    int result = carry_out_all(later, work, error);
    if (result == 0)
        result = keep_objects(later, work, error);
    return result == 0 ? put_in_place(later, work, error) : -1;
}

void later_work_dispose(struct later_work *work) {
    vec_dispose(&work->jobs.running);
}

/* A program of a bundle */

static void remove_leftovers(const struct later_request *request) {
    glob_t files = {0};
    struct str pattern = {0};
    for (const char *at = request->bundle; *at != '\0'; at++)
        str_printf(&pattern, strchr("*?[\\", *at) != NULL ? "\\%c" : "%c", *at);
    str_printf(&pattern, "/%s.*", request->program);
    if (glob(str_text(&pattern), 0, NULL, &files) == 0)
        for (size_t i = 0; i < files.gl_pathc; i++)
            unlink(files.gl_pathv[i]);
    globfree(&files);
    str_dispose(&pattern);
}

/* Of what users look into: the compiler may see in it that a model is meant otherwise. */
static void keep_messages(struct arena *arena, const struct later *later,
                          const struct later_request *request) {
    VEC(const char *) logs = {0};
    for (size_t i = 0; i < later->steps.count; i++)
        if (later->steps.items[i].object != NULL)
            vec_push(&logs, later->steps.items[i].object->log);
    if (strcmp(request->program, "skeleton") == 0)
        build_log_write(arena, request->bundle, request->output, logs.items, logs.count);
    vec_dispose(&logs);
}

/* By one file of commands; `silent`: there is another one. */
static int build_by(struct later_request *request, struct arena *arena, const char *name,
                    bool silent, struct error *error) {
    struct dependencies own;
    dependencies_init(&own);
    struct cache cache = {.arena = arena,
                          .old = request->old_cache,
                          .current = path_join(arena, request->bundle, "cache")};
    struct objects objects = {.arena = arena,
                              .directory = request->bundle,
                              .cache = &cache,
                              .dependencies =
                                  request->dependencies != NULL ? request->dependencies : &own};
    struct later_work work = {.arena = arena,
                              .directory = request->bundle,
                              .objects = &objects,
                              .jobs = {.limit = request->jobs, .silent = silent}};
    struct later later = {.program = request->program};
    int result =
        read_steps(&later, arena, request->bundle, path_join(arena, request->bundle, name), error);
    if (result == 0)
        result = later_carry_out(&later, &work, error);
    if (result == 0)
        keep_messages(arena, &later, request);
    remove_leftovers(request);
    status_line_hide();
    request->object_count = work.object_count;
    request->compiled_count = work.compiled_count;
    later_dispose(&later);
    later_work_dispose(&work);
    objects_dispose(&objects);
    dependencies_dispose(&own);
    return result;
}

/* Until it is closed. Over NFS only who may write a file locks it; where files cannot be locked at
 * all, who starts two commands at once has to wait for the first. */
static int lock(const char *path, struct error *error) {
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return error_set(error, "cannot read %s: %s", path, strerror(errno));
    if (flock(file, LOCK_EX) != 0)
        note("note: %s cannot be locked (%s): start no second command until it is built", path,
             strerror(errno));
    return file;
}

static int build(struct later_request *request, struct arena *arena, const char *name,
                 const char *other, struct error *error) {
    if (file_exists(path_join(arena, request->bundle, request->program)))
        return 0;
    bool has_other = file_exists(path_join(arena, request->bundle, other));
    int result = build_by(request, arena, name, has_other, error);
    return result != 0 && has_other && !error->set ? build_by(request, arena, other, false, error)
                                                   : result;
}

int later_build(struct later_request *request, struct error *error) {
    struct arena arena = {0};
    const char *name = later_commands_path(&arena, request->program);
    int file = lock(path_join(&arena, request->bundle, name), error);
    int result =
        file < 0 ? -1
                 : build(request, &arena, name, later_other_path(&arena, request->program), error);
    if (file >= 0)
        close(file);
    arena_dispose(&arena);
    return result;
}
