/* SPDX-License-Identifier: Apache-2.0
 *
 * The only file that includes XGBoost; see trees.h. Trees come back as XGBoost prints them in JSON,
 * with thresholds and leaves in as many digits as a float has.
 */
#include "model/solve/trees.h"

#include "base/json.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <xgboost/c_api.h>

#define MISSING (-3e38F) /* no input is that */

/* What is used of the library. It is loaded for the first forest only: that takes longer than many
 * a command that needs none. */
#define LIBRARY "libxgboost.so.0"
#define FUNCTIONS(X)                                                                               \
    X(XGBGetLastError)                                                                             \
    X(XGBSetGlobalConfig)                                                                          \
    X(XGBoosterCreate)                                                                             \
    X(XGBoosterDumpModelEx)                                                                        \
    X(XGBoosterFree)                                                                               \
    X(XGBoosterSetParam)                                                                           \
    X(XGBoosterUpdateOneIter)                                                                      \
    X(XGDMatrixCreateFromMat)                                                                      \
    X(XGDMatrixFree)                                                                               \
    X(XGDMatrixSetFloatInfo)

static struct {
    void *library; /* NULL: not loaded */
#define MEMBER(name) __typeof__(&name) name;
    FUNCTIONS(MEMBER)
} xg;

static int fail(struct error *error) {
    return error_set(error, "XGBoost: %s", xg.XGBGetLastError());
}

static int find_functions(void *library) {
    int missing = 0;
#define FIND(name) missing += (*(void **)&xg.name = dlsym(library, #name)) == NULL;
    FUNCTIONS(FIND)
    return missing == 0 ? 0 : -1;
}

static int load(struct error *error) {
    if (xg.library != NULL)
        return 0;
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL || find_functions(library) != 0)
        return error_set(error, "%s; with the package libxgboost0, fit again", dlerror());
    xg.library = library;
    return xg.XGBSetGlobalConfig("{\"verbosity\":0}") == 0 ? 0 : fail(error);
}

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number

/* Leaves are means: nothing is added that would draw them towards 0. */
static int set_parameters(BoosterHandle booster, int count, double least_gain,
                          struct error *error) {
    char trees[32], gain[32];
    snprintf(trees, sizeof trees, "%d", count);
    snprintf(gain, sizeof gain, "%.9g", least_gain);
    const char *const parameters[][2] = {{"num_parallel_tree", trees},
                                         {"min_split_loss", gain},
                                         {"objective", "reg:squarederror"},
                                         {"base_score", "0"},
                                         {"nthread", "1"},
                                         {"tree_method", "exact"},
                                         {"max_depth", TEXT(TREES_DEPTH_MAX)},
                                         {"eta", "1"},
                                         {"lambda", "0"},
                                         {"min_child_weight", "0"},
                                         {"subsample", "0.8"},
                                         {"colsample_bynode", "0.7"},
                                         {"seed", "1"}};
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++)
        if (xg.XGBoosterSetParam(booster, parameters[i][0], parameters[i][1]) != 0)
            return fail(error);
    return 0;
}

/* ---- Trees from JSON ---- */

static int count_nodes(const json_t *node) {
    int count = 1;
    const json_t *children = json_object_get(node, "children");
    for (size_t i = 0; i < json_array_size(children); i++)
        count += count_nodes(json_array_get(children, i));
    return count;
}

static const json_t *child_of(const json_t *node, const char *which) {
    const json_t *children = json_object_get(node, "children");
    long long wanted = json_get_integer(node, which, -1);
    for (size_t i = 0; i < json_array_size(children); i++)
        if (json_get_integer(json_array_get(children, i), "nodeid", -2) == wanted)
            return json_array_get(children, i);
    return NULL;
}

/* Inputs have the names f0, f1, ... */
static int read_split(struct tree_node *out, const json_t *node, int input_count) {
    const char *name = json_get_text(node, "split");
    out->input = name != NULL && name[0] == 'f' ? atoi(name + 1) : -1;
    out->value = json_get_number(node, "split_condition", 0);
    return out->input >= 0 && out->input < input_count ? 0 : -1;
}

static int read_node(struct regression_tree *tree, const json_t *node, int input_count) {
    const json_t *leaf = json_object_get(node, "leaf");
    struct tree_node *out = &tree->nodes[tree->count++];
    if (json_is_number(leaf)) {
        *out = (struct tree_node){.input = -1, .value = json_number_value(leaf)};
        return 0;
    }
    const json_t *below = child_of(node, "yes"), *rest = child_of(node, "no");
    if (below == NULL || rest == NULL || read_split(out, node, input_count) != 0 ||
        read_node(tree, below, input_count) != 0)
        return -1;
    out->other = tree->count;
    return read_node(tree, rest, input_count);
}

static int read_tree(struct regression_tree *out, struct arena *arena, const char *text,
                     int input_count) {
    json_error_t place;
    json_t *root = json_loads(text, 0, &place);
    *out = (struct regression_tree){
        .nodes = ARENA_ARRAY(arena, struct tree_node, (size_t)count_nodes(root))};
    int result = root != NULL ? read_node(out, root, input_count) : -1;
    json_decref(root);
    return result;
}

static int read_trees(struct trees *out, struct arena *arena, BoosterHandle booster,
                      int input_count, struct error *error) {
    bst_ulong count = 0;
    const char **texts = NULL;
    if (xg.XGBoosterDumpModelEx(booster, "", 0, "json", &count, &texts) != 0)
        return fail(error);
    if (count != (bst_ulong)out->count)
        return error_set(error, "XGBoost: %lu trees instead of %d", (unsigned long)count,
                         out->count);
    for (int i = 0; i < out->count; i++)
        if (read_tree(&out->items[i], arena, texts[i], input_count) != 0)
            return error_set(error, "XGBoost: tree %d is printed in an unknown form", i);
    return 0;
}

/* ---- Growing ---- */

static int make_matrix(DMatrixHandle *out, const struct tree_rows *rows, struct error *error) {
    if (xg.XGDMatrixCreateFromMat(rows->inputs, rows->count, (bst_ulong)rows->input_count, MISSING,
                                  out) != 0)
        return fail(error);
    if (xg.XGDMatrixSetFloatInfo(*out, "label", rows->targets, rows->count) == 0 &&
        xg.XGDMatrixSetFloatInfo(*out, "weight", rows->weights, rows->count) == 0)
        return 0;
    fail(error);
    xg.XGDMatrixFree(*out);
    return -1;
}

int trees_grow(struct trees *out, struct arena *arena, const struct tree_rows *rows, int count,
               struct error *error) {
    out->count = count;
    DMatrixHandle matrix = NULL;
    BoosterHandle booster = NULL;
    if (load(error) != 0)
        return -1;
    if (make_matrix(&matrix, rows, error) != 0)
        return -1;
    int result = xg.XGBoosterCreate(&matrix, 1, &booster) == 0
                     ? set_parameters(booster, count, rows->least_gain, error)
                     : fail(error);
    if (result == 0 && xg.XGBoosterUpdateOneIter(booster, 0, matrix) != 0)
        result = fail(error);
    if (result == 0)
        result = read_trees(out, arena, booster, rows->input_count, error);
    if (booster != NULL)
        xg.XGBoosterFree(booster);
    xg.XGDMatrixFree(matrix);
    return result;
}

double trees_sum(const struct trees *trees, const float *inputs) {
    double sum = 0;
    for (int i = 0; i < trees->count; i++) {
        const struct tree_node *nodes = trees->items[i].nodes;
        int at = 0;
        while (nodes[at].input >= 0)
            at = inputs[nodes[at].input] < (float)nodes[at].value ? at + 1 : nodes[at].other;
        sum += nodes[at].value;
    }
    return sum;
}
