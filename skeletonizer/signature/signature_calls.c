/* SPDX-License-Identifier: Apache-2.0
 *
 * In: a call. Out: what it does, as operations, as a block of its own (functions with a cost in
 * externs.def), as the blocks of the function that is entered, or its name alone.
 */
#include "skeletonizer/signature/signature_calls.h"

#include "base/str.h"
#include "skeletonizer/signature/access_address.h"
#include "skeletonizer/signature/region_signature.h"

#include <math.h>
#include <string.h>

#define WORD_BYTES 8 /* in which memcpy and its kin are counted */

/* One instruction, or a few, of every processor with floating-point numbers. */
static const char *const cheap[] = {"fabs",   "fabsf", "fmin", "fmax",     "fminf",
                                    "fmaxf",  "floor", "ceil", "copysign", "trunc",
                                    "floorf", "ceilf", NULL};
static const char *const roots[] = {"sqrt", "sqrtf", "sqrtl", NULL};
static const char *const functions[] = {
    "cbrt",  "exp",    "exp2",   "exp10",  "expm1",  "log",   "log2",  "log10", "log1p",
    "sin",   "cos",    "tan",    "asin",   "acos",   "atan",  "sinh",  "cosh",  "tanh",
    "asinh", "acosh",  "atanh",  "erf",    "erfc",   "pow",   "atan2", "fmod",  "hypot",
    "round", "lround", "rint",   "lrint",  "ldexp",  "frexp", "expf",  "logf",  "sinf",
    "cosf",  "powf",   "tgamma", "lgamma", "sincos", NULL};
static const char *const integers[] = {"abs", "labs", "llabs", "__builtin_expect", NULL};
static const char *const copies[] = {"memcpy", "memmove", NULL};
static const char *const fills[] = {"memset", NULL};

static struct signature_block *block_of(const struct signature_place *place) {
    return &place->walk->blocks.items[place->block]->block;
}

static int find_feature(const struct signature_place *place, const struct node *node,
                        const struct call *call) {
    struct kernel_call kernel = {place->frame, node, call};
    struct product product = {.level = place->level, .kernel = &kernel, .face = KERNEL_COST_WHOLE};
    return signature_feature_of(place->walk, &product);
}

static struct signature_access access_of(const struct signature_place *place, const struct ast *ast,
                                         int block, bool loads) {
    struct signature_step *step = ARENA_NEW(place->walk->arena, struct signature_step);
    struct address address = address_value(place, ast);
    *step = (struct signature_step){block, WORD_BYTES};
    return (struct signature_access){.array = address.base[0] != '\0' ? address.base : "?",
                                     .element_bytes = WORD_BYTES,
                                     .loads = loads,
                                     .stores = !loads,
                                     .class = STRIDE_UNIT,
                                     .step_count = 1,
                                     .steps = step,
                                     .offset = "0"};
}

/* memcpy and its kin: a loop over words. */
static void count_memory(const struct signature_place *place, const struct node *node,
                         const struct call *call) {
    struct signature_walk *walk = place->walk;
    int feature = find_feature(place, node, call);
    const struct ast *last = call->ast->kids[call->ast->kid_count - 1];
    double factor = feature >= 0      ? 1.0 / WORD_BYTES
                    : last->has_value ? (double)last->value / WORD_BYTES
                                      : NAN;
    int block = signature_open(walk, (struct signature_block){.kind = BLOCK_KERNEL,
                                                              .parent = place->block,
                                                              .line = call->ast->line,
                                                              .variable = call->name,
                                                              .feature = feature,
                                                              .factor = factor});
    struct open_block *open = walk->blocks.items[block];
    vec_push(&open->accesses, access_of(place, call->ast->kids[1], block, false));
    if (text_is_one_of(call->name, copies))
        vec_push(&open->accesses, access_of(place, call->ast->kids[2], block, true));
    if (isnan(factor))
        signature_note_unknown(walk, arena_printf(walk->arena, "the bytes of %s", call->name),
                               call->ast->line);
}

static void add_call(const struct signature_place *place, const char *name, int feature, int line) {
    struct open_block *open = place->walk->blocks.items[place->block];
    struct signature_call call = {
        .name = name, .count = 1, .feature = feature, .is_opaque = feature < 0};
    vec_push(&open->calls, call);
    if (feature < 0)
        signature_note_unknown(place->walk, arena_printf(place->walk->arena, "a call of %s", name),
                               line);
}

static bool count_known(const struct signature_place *place, const char *name) {
    double *operations = block_of(place)->operations;
    const char *plain = text_has_prefix(name, "__builtin_") ? name + strlen("__builtin_") : name;
    enum signature_operation operation =
        text_is_one_of(plain, roots)                                        ? OPERATION_SQUARE_ROOT
        : text_is_one_of(plain, functions)                                  ? OPERATION_FUNCTION
        : text_is_one_of(plain, cheap)                                      ? OPERATION_COMPARE
        : text_is_one_of(plain, integers) || text_is_one_of(name, integers) ? OPERATION_INTEGER
                                                                            : OPERATION_COUNT;
    if (operation == OPERATION_COUNT)
        return false;
    operations[operation]++;
    return true;
}

void signature_count_call(const struct signature_place *place, const struct ast *ast) {
    const struct node *node;
    const struct call *call = signature_call_of(place, ast, &node);
    const char *name = call != NULL && call->name != NULL ? call->name : "a function by a pointer";
    if (call != NULL && call->targets.count > 0) {
        block_of(place)->operations[OPERATION_CALL]++;
        if (!signature_enter(place, node, call))
            add_call(place, call->targets.items[0]->name, -1, ast->line);
    } else if (call != NULL && call->name != NULL &&
               (text_is_one_of(name, copies) || text_is_one_of(name, fills))) {
        count_memory(place, node, call);
    } else if (call == NULL || call->name == NULL || !count_known(place, name)) {
        bool has_cost = call != NULL && call->library != NULL && call->library->cost != NULL;
        add_call(place, name, has_cost ? find_feature(place, node, call) : -1, ast->line);
    }
}
