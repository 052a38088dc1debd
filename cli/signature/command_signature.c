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
#include "base/str.h"
#include "base/vec.h"
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"
#include "cli/common/opened.h"
#include "cli/signature/signature_measured.h"
#include "model/samples/region.h"
#include "model/signature/signature.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The blocks of a region summed up: each kind of operation, and the loads and stores of each array
 * by stride, as sums of the region's features; as text and as JSON. */

/* A constant and the factors of the features. */
struct feature_sum {
    double *terms;
    int count;
};

struct array_sum {
    const char *array, *working_set;
    enum stride_class class;
    int element_bytes;
    struct feature_sum loads, stores;
};

struct signature_summary {
    struct arena arena;
    const struct signature_region *region;
    double *executions;
    struct feature_sum operations[OPERATION_COUNT];
    VEC(struct array_sum) arrays;
};

/* ---- Sums ---- */

static struct feature_sum sum_new(struct signature_summary *s) {
    int count = s->region->feature_count + 1;
    return (struct feature_sum){ARENA_ARRAY(&s->arena, double, (size_t)count), count};
}

static void sum_add(struct feature_sum *sum, const struct signature_summary *s, int block,
                    double times) {
    for (int i = 0; i < sum->count; i++) {
        double executions = s->executions[block * sum->count + i];
        sum->terms[i] += times != 0 && executions != 0 ? times * executions : 0;
    }
}

static bool sum_is_nothing(const struct feature_sum *sum) {
    for (int i = 0; i < sum->count; i++)
        if (sum->terms[i] != 0)
            return false;
    return true;
}

static struct array_sum *find_array(struct signature_summary *s,
                                    const struct signature_access *access) {
    const char *working_set = signature_working_set(&s->arena, s->region, access);
    for (size_t i = 0; i < s->arrays.count; i++) {
        struct array_sum *array = &s->arrays.items[i];
        if (array->class == access->class && array->element_bytes == access->element_bytes &&
            strcmp(array->array, access->array) == 0 &&
            strcmp(array->working_set, working_set) == 0)
            return array;
    }
    struct array_sum array = {access->array,         working_set, access->class,
                              access->element_bytes, sum_new(s),  sum_new(s)};
    vec_push(&s->arrays, array);
    return &s->arrays.items[s->arrays.count - 1];
}

static void sum_up(struct signature_summary *out, const struct signature_region *region) {
    *out = (struct signature_summary){.region = region};
    arena_init(&out->arena);
    size_t width = (size_t)region->feature_count + 1;
    out->executions = ARENA_ARRAY(&out->arena, double, width *(size_t)region->block_count);
    signature_executions_as_sums(out->executions, region);
    for (int i = 0; i < OPERATION_COUNT; i++)
        out->operations[i] = sum_new(out);
    for (int b = 0; b < region->block_count; b++) {
        const struct signature_block *block = &region->blocks[b];
        for (int i = 0; i < OPERATION_COUNT; i++)
            sum_add(&out->operations[i], out, b, block->operations[i]);
        for (int i = 0; i < block->access_count; i++) {
            struct array_sum *array = find_array(out, &block->accesses[i]);
            sum_add(&array->loads, out, b, block->accesses[i].loads);
            sum_add(&array->stores, out, b, block->accesses[i].stores);
        }
    }
}

static void summary_dispose(struct signature_summary *s) {
    vec_dispose(&s->arrays);
    arena_dispose(&s->arena);
}

/* ---- Text ---- */

static void add_term(struct str *out, double factor, int feature) {
    if (factor == 0)
        return;
    str_add(out, out->length > 0 ? " + " : "");
    if (isnan(factor))
        str_add(out, "?");
    else if (feature == 0 || factor != 1)
        str_printf(out, "%.6g", factor);
    if (feature > 0)
        str_printf(out, "%sn%d", isnan(factor) || factor != 1 ? " " : "", feature);
}

/* "12 n3 + n2 + 4": what is largest last named first. */
static const char *text_of(struct signature_summary *s, const struct feature_sum *sum) {
    struct str text = {0};
    for (int i = sum->count - 1; i >= 0; i--)
        add_term(&text, sum->terms[i], i);
    const char *copy = arena_strdup(&s->arena, text.length > 0 ? text.text : "0");
    str_dispose(&text);
    return copy;
}

static void print_operations(struct signature_summary *s) {
    for (int i = 0; i < OPERATION_COUNT; i++)
        if (!sum_is_nothing(&s->operations[i]))
            printf("  %-16s %s\n", operation_name((enum signature_operation)i),
                   text_of(s, &s->operations[i]));
}

static void print_arrays(struct signature_summary *s) {
    for (size_t i = 0; i < s->arrays.count; i++) {
        struct array_sum *array = &s->arrays.items[i];
        printf("  %-16s %s, %d bytes, over %s", array->array, stride_class_name(array->class),
               array->element_bytes, array->working_set);
        if (!sum_is_nothing(&array->loads))
            printf("; loads %s", text_of(s, &array->loads));
        if (!sum_is_nothing(&array->stores))
            printf("; stores %s", text_of(s, &array->stores));
        putchar('\n');
    }
}

static void print_kernels(const struct signature_region *region) {
    for (int b = 0; b < region->block_count; b++)
        for (int i = 0; i < region->blocks[b].call_count; i++) {
            const struct signature_call *call = &region->blocks[b].calls[i];
            if (call->feature >= 0)
                printf("  kernel %s at line %d: n%d operations\n", call->name,
                       region->blocks[b].line, call->feature + 1);
        }
}

static void print_unknown(const struct signature_summary *s) {
    const struct signature_region *region = s->region;
    for (int b = 0; b < region->block_count; b++)
        if (region->blocks[b].is_guess && !(b > 0 && region->blocks[b - 1].is_guess &&
                                            region->blocks[b - 1].line == region->blocks[b].line))
            printf("  guessed: the branch at line %d is taken %g of the times\n",
                   region->blocks[b].line, region->blocks[b].factor);
    for (size_t i = 0; i < s->arrays.count; i++)
        if (s->arrays.items[i].class == STRIDE_UNKNOWN)
            printf("  not known: the stride of %s\n", s->arrays.items[i].array);
    for (int i = 0; i < region->unknown_count; i++)
        printf("  not known: %s at line %d\n", region->unknowns[i].what, region->unknowns[i].line);
}

static void signature_print_text(const struct signature_region *region,
                                 const struct region *described) {
    struct signature_summary summary;
    sum_up(&summary, region);
    printf("%s:%d-%d %s: %s\n", described->file, described->line, described->end_line,
           described->function, described->summary);
    for (int i = 0; i < described->feature_count; i++)
        printf("  %-16s %s\n", described->features[i].name, described->features[i].meaning);
    print_operations(&summary);
    print_arrays(&summary);
    print_kernels(region);
    print_unknown(&summary);
    summary_dispose(&summary);
}

/* ---- JSON ---- */

static json_t *sum_to_json(const struct feature_sum *sum) {
    json_t *list = json_array();
    for (int i = 0; i < sum->count; i++)
        json_array_append_new(list, isnan(sum->terms[i]) ? json_null() : json_real(sum->terms[i]));
    return list;
}

static json_t *arrays_to_json(const struct signature_summary *s) {
    json_t *list = json_array();
    for (size_t i = 0; i < s->arrays.count; i++) {
        const struct array_sum *array = &s->arrays.items[i];
        json_array_append_new(
            list, json_pack("{s:o, s:s, s:i, s:s, s:o, s:o}", "array", json_any_text(array->array),
                            "stride", stride_class_name(array->class), "bytes",
                            array->element_bytes, "working_set", array->working_set, "loads",
                            sum_to_json(&array->loads), "stores", sum_to_json(&array->stores)));
    }
    return list;
}

/* The caller's. */
static json_t *signature_print_json(const struct signature_region *region,
                                    const struct region *described) {
    struct signature_summary summary;
    json_t *operations = json_object();
    sum_up(&summary, region);
    for (int i = 0; i < OPERATION_COUNT; i++)
        if (!sum_is_nothing(&summary.operations[i]))
            json_object_set_new(operations, operation_name((enum signature_operation)i),
                                sum_to_json(&summary.operations[i]));
    json_t *object = signature_region_to_json(region);
    json_object_set_new(object, "file", json_any_text(described->file));
    json_object_set_new(object, "line", json_integer(described->line));
    json_object_set_new(object, "function", json_any_text(described->function));
    json_object_set_new(object, "operations", operations);
    json_object_set_new(object, "arrays", arrays_to_json(&summary));
    summary_dispose(&summary);
    return object;
}

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
