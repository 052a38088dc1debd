/* SPDX-License-Identifier: Apache-2.0 */
#include "synthesis/bundle/bundle_place.h"

#include "base/file.h"
#include "base/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* `.incbin`, since a compiler takes long for large arrays. */
static const char *source_of(struct bundle_place *w, const char *id, const char *text_file) {
    return arena_printf(
        &w->arena,
        "#include <stddef.h>\n"
        "extern const char bsim_bundle_id[] __attribute__((visibility(\"hidden\")));\n"
        "const char bsim_bundle_id[] = \"%s\";\n"
        "extern const char bsim_trace_library[] __attribute__((visibility(\"hidden\")));\n"
        "const char bsim_trace_library[] = \"%s\";\n"
        "__asm__(\".section .rodata\\nbsim__model_text:\\n.incbin \\\"%s\\\"\\n"
        "bsim__model_end:\\n.previous\\n\");\n"
        "extern const char bsim__model_text[] __attribute__((visibility(\"hidden\")));\n"
        "extern const char bsim__model_end[] __attribute__((visibility(\"hidden\")));\n"
        "int bsim__synthesis_main(int argc, char **argv, const char *text, size_t length);\n"
        "int main(int argc, char **argv) {\n"
        "    return bsim__synthesis_main(argc, argv, bsim__model_text,\n"
        "                                (size_t)(bsim__model_end - bsim__model_text));\n"
        "}\n",
        id, path_of_library(&w->arena, "libbsim_trace.so"),
        path_join(&w->arena, w->directory, text_file));
}

static int tell_failed_link(struct bundle_place *w, const char *log, struct error *error) {
    char *text = NULL;
    size_t length;
    struct error ignored = {0};
    if (file_read(&text, &length, log, &ignored) != 0)
        text = NULL;
    error_set(error, "smpicc could not link the skeleton: %.600s", text != NULL ? text : "");
    free(text);
    (void)w;
    return -1;
}

int bundle_place_link(struct bundle_place *w, const char *id, const char *text_file,
                      struct error *error) {
    const char *source = path_join(&w->arena, w->directory, "skeleton.c");
    const char *log = path_join(&w->arena, w->directory, "build.log");
    const char *text = source_of(w, id, text_file);
    const char *const argv[] = {"smpicc",
                                "-O1",
                                "-w",
                                source,
                                path_of_library(&w->arena, "libbsim_synthesis.a"),
                                path_of_library(&w->arena, "libbsim_skeleton.a"),
                                "-lm",
                                "-Wl,-Bsymbolic",
                                "-Wl,--strip-debug",
                                "-o",
                                path_join(&w->arena, w->directory, "skeleton"),
                                NULL};
    const struct process_options options = {.stdout_file = log, .stderr_file = log};
    struct process_result result;
    if (file_write(source, text, strlen(text), error) != 0 ||
        process_run(&result, argv, &options, error) != 0)
        return -1;
    if (result.exit_code != 0)
        return tell_failed_link(w, log, error);
    unlink(source);
    unlink(log);
    return 0;
}

/* What is there and is no bundle stays. */
static int check_target(struct bundle_place *w, const char *directory, struct error *error) {
    if (!file_exists(directory) && !directory_exists(directory))
        return 0;
    if (file_exists(path_join(&w->arena, directory, SYNTH_MODEL_FILE)) ||
        file_exists(path_join(&w->arena, directory, SYNTH_REPLAY_FILE)))
        return 0;
    return error_set(error, "%s is there, and is nothing that synthesize wrote: give another name",
                     directory);
}

static int take_place(struct bundle_place *w, const char *directory, struct error *error) {
    if (directory_exists(directory) && directory_remove(directory, error) != 0)
        return -1;
    if (rename(w->directory, directory) != 0)
        return error_set(error, "cannot write %s", directory);
    return 0;
}

int bundle_place_begin(struct bundle_place *out, const char *directory, struct error *error) {
    *out = (struct bundle_place){0};
    arena_init(&out->arena);
    const char *target = output_target(&out->arena, directory, error);
    if (target == NULL)
        return -1;
    out->target = path_absolute(&out->arena, path_current(&out->arena), target);
    out->directory = arena_printf(&out->arena, "%s.new-%d", out->target, (int)getpid());
    return check_target(out, out->target, error) != 0 || directory_make(out->directory, error) != 0
               ? -1
               : 0;
}

int bundle_place_end(struct bundle_place *place, int result, struct error *error) {
    struct error ignored = {0};
    if (result == 0)
        result = take_place(place, place->target, error);
    if (result != 0 && directory_exists(place->directory))
        directory_remove(place->directory, &ignored);
    arena_dispose(&place->arena);
    return result;
}
