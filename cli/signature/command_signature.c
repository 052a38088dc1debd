/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel signature`: which operations each region makes, as sums of its features.
 *
 * In: signature.json and regions.json of the bundle. Out: a paragraph for each computation, or
 * JSON, which has the blocks of the file as well.
 */
#include "base/error.h"
#include "base/file.h"
#include "base/output_format.h"
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"
#include "cli/common/opened.h"
#include "cli/signature/signature_measured.h"
#include "cli/signature/signature_print.h"

#include <stdio.h>
#include <string.h>

struct signature_options {
    const char *bundle, *place; /* place NULL: all regions */
    enum output_format format;
    bool measured;
    const char *machine; /* NULL: the first one that was counted */
};

#define OPTIONS struct signature_options

static const struct command_option rows[] = {
    {OPTION_ON("measured", measured),
     .help = "Besides, what profiling runs with a clock that counts have counted, as functions of "
             "features: blocks, accesses, and the lines that each cache and memory served"},
    {OPTION_TEXT("machine", "NAME", machine),
     .help = "With --measured: whose runs (default: the first machine with counted runs)"},
    {COMMON_FORMAT(format)},
    {0}};

static int check(void *input, struct error *error) {
    const struct signature_options *options = input;
    return options->machine == NULL || options->measured
               ? 0
               : error_set(error, "--machine goes with --measured");
}

static const struct command_syntax syntax = {
    .name = "mpiskel signature",
    .usage = "APP.skel [FILE:LINE]",
    .about =
        "Tell which operations each region of a program makes, by its features.\v"
        "Operations, loads and stores are counted in the source, as code without optimisation "
        "makes them; n1, n2, ... are the region's features. The stride of an array is by how much "
        "its address moves with the innermost loop. What is not known is named: loops of unknown "
        "length, calls of unknown cost, strides.\n\n"
        "  mpiskel signature heat3d.skel stencil.c:61",
    .options = {rows, check},
    .arguments = {OPTION_AT(const char *, bundle), OPTION_AT(const char *, place)},
    .argument_count = 2,
    .missing = WHICH_BUNDLE,
    .too_many = "one place, please",
};

/* FILE:LINE, also by the end of the file's name. */
static bool is_at(const struct region *region, const char *place) {
    const char *colon = strrchr(place, ':');
    char line[32];
    if (colon == NULL)
        return false;
    size_t length = (size_t)(colon - place), own = strlen(region->file);
    if (own < length || strncmp(region->file + own - length, place, length) != 0)
        return false;
    for (int at = region->line; at <= region->end_line; at++) {
        snprintf(line, sizeof line, "%d", at);
        if (strcmp(colon + 1, line) == 0)
            return true;
    }
    return false;
}

static int report(const struct signature *signature, const struct regions *regions,
                  const struct signature_measured *measured,
                  const struct signature_options *options, struct error *error) {
    json_t *list = json_array();
    int shown = 0;
    for (int i = 0; i < signature->count; i++) {
        const struct signature_region *region = &signature->regions[i];
        if (region->index >= regions->count ||
            region->feature_count != regions->items[region->index].feature_count)
            continue;
        const struct region *described = &regions->items[region->index];
        if (options->place != NULL && !is_at(described, options->place))
            continue;
        if (options->format == OUTPUT_JSON) {
            json_t *object = signature_print_json(region, described);
            if (measured->machine != NULL)
                json_object_set_new(object, "measured",
                                    signature_measured_to_json(measured, region->index));
            json_array_append_new(list, object);
        } else {
            signature_print_text(region, described);
            signature_measured_print(measured, region->index);
        }
        shown++;
    }
    json_t *root = json_pack("{s:s, s:i, s:s, s:o}", "format", "mpiskel-signature-report",
                             "version", 1, "bundle", signature->bundle, "regions", list);
    if (measured->machine != NULL) {
        json_object_set_new(root, "machine", json_any_text(measured->machine));
        json_object_set_new(root, "processor", json_any_text(measured->processor));
    }
    if (options->format == OUTPUT_JSON && json_dumpf(root, stdout, JSON_INDENT(2)) == 0)
        putchar('\n');
    json_decref(root);
    if (shown == 0 && options->place != NULL)
        return error_set(error, "no region is at %s; `mpiskel signature %s` lists all",
                         options->place, options->bundle);
    return output_finish(error);
}

static int show(const struct signature_options *options, struct error *error) {
    struct arena arena;
    struct regions regions;
    struct signature signature;
    struct signature_measured measured = {0};
    if (regions_read_bundle(&regions, options->bundle, error) != 0)
        return -1;
    arena_init(&arena);
    const char *path = path_join(&arena, options->bundle, "signature.json");
    int result = regions_need_source(&regions,
                                     "nobody knows which operations it executes; a signature takes "
                                     "mpiskel generate",
                                     error);
    if (result == 0)
        result = signature_read(&signature, path, error);
    bool is_read = result == 0;
    if (is_read && strcmp(signature.bundle, regions.bundle) != 0)
        result = error_set(error,
                           "%s:1:1: error: the signature is of another bundle than regions.json; "
                           "generate the bundle again",
                           signature.path);
    else if (is_read && options->measured)
        result = signature_measure(&measured, &arena, options->bundle, options->machine, error);
    if (result == 0)
        result = report(&signature, &regions, &measured, options, error);
    if (is_read)
        signature_dispose(&signature);
    regions_dispose(&regions);
    arena_dispose(&arena);
    return result;
}

int command_signature(int argc, char **argv) {
    struct signature_options options = {0};
    struct error error = {0};
    command_syntax_parse(&syntax, &options, argc, argv);
    if (show(&options, &error) == 0)
        return EXIT_FINE;
    error_print(&error);
    return EXIT_FAILED;
}
