/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of operations and strides, and how often blocks are executed; see signature.h.
 */
#include "model/signature/signature.h"

#include "base/str.h"

#include <math.h>
#include <string.h>

static const char *const operation_names[OPERATION_COUNT] = {
    [OPERATION_ADD] = "add",
    [OPERATION_MULTIPLY] = "multiply",
    [OPERATION_FUSED] = "fused",
    [OPERATION_DIVIDE] = "divide",
    [OPERATION_SQUARE_ROOT] = "square_root",
    [OPERATION_FUNCTION] = "function",
    [OPERATION_COMPARE] = "compare",
    [OPERATION_INTEGER] = "integer",
    [OPERATION_INTEGER_DIVIDE] = "integer_divide",
    [OPERATION_BRANCH] = "branch",
    [OPERATION_CALL] = "call",
    [OPERATION_CHAIN_ADD] = "chain_add",
    [OPERATION_CHAIN_OTHER] = "chain_other",
};

static const char *const stride_names[STRIDE_CLASSES] = {
    [STRIDE_FIXED] = "fixed",     [STRIDE_UNIT] = "unit",   [STRIDE_CONSTANT] = "constant",
    [STRIDE_INDEXED] = "indexed", [STRIDE_CHASE] = "chase", [STRIDE_UNKNOWN] = "unknown",
};

const char *operation_name(enum signature_operation operation) {
    return operation_names[operation];
}

const char *stride_class_name(enum stride_class class) {
    return stride_names[class];
}

void signature_dispose(struct signature *signature) {
    arena_dispose(&signature->arena);
}

const struct signature_region *signature_find(const struct signature *signature, int index) {
    for (int i = 0; i < signature->count; i++)
        if (signature->regions[i].index == index)
            return &signature->regions[i];
    return NULL;
}

void signature_executions(double *out, const struct signature_region *region,
                          const double *features) {
    for (int b = 0; b < region->block_count; b++) {
        const struct signature_block *block = &region->blocks[b];
        if (block->feature >= 0)
            out[b] = block->factor * features[block->feature];
        else
            out[b] = block->parent >= 0 ? block->factor * out[block->parent] : 1;
    }
}

void signature_executions_as_sums(double *out, const struct signature_region *region) {
    size_t width = (size_t)region->feature_count + 1;
    memset(out, 0, sizeof *out * width * (size_t)region->block_count);
    for (int b = 0; b < region->block_count; b++) {
        const struct signature_block *block = &region->blocks[b];
        double *own = out + (size_t)b * width;
        if (block->feature >= 0)
            own[1 + block->feature] = block->factor;
        else if (block->parent < 0)
            own[0] = 1;
        for (size_t i = 0; i < width && block->feature < 0 && block->parent >= 0; i++) {
            double around = out[(size_t)block->parent * width + i];
            own[i] = around != 0 ? around * block->factor : 0;
        }
    }
}

/* ---- Working sets ---- */

static void add_factor(struct str *out, const struct signature_region *region, int block,
                       bool over) {
    const struct signature_block *b = &region->blocks[block];
    if (b->feature >= 0 && b->factor != 1)
        str_printf(out, "%s(%.4g n%d)", over ? "/" : " ", b->factor, b->feature + 1);
    else if (b->feature >= 0)
        str_printf(out, "%sn%d", over ? "/" : " ", b->feature + 1);
    else if (b->parent >= 0)
        str_add(out, over ? "/?" : " ?");
}

static bool is_moved_by(const struct signature_access *access, int block) {
    for (int i = 0; i < access->step_count; i++)
        if (access->steps[i].block == block)
            return true;
    return false;
}

/* The next block outwards that features count. */
static int counted_around(const struct signature_region *region, int block) {
    int around = region->blocks[block].parent;
    while (around > 0 && region->blocks[around].kind != BLOCK_LOOP)
        around = region->blocks[around].parent;
    return around;
}

const char *signature_working_set(struct arena *arena, const struct signature_region *region,
                                  const struct signature_access *access) {
    struct str text = {0};
    str_printf(&text, "%d", access->element_bytes);
    for (int i = access->step_count - 1; i >= 0; i--) {
        int block = access->steps[i].block, around = counted_around(region, block);
        bool inner_is_moved = i + 1 < access->step_count &&
                              counted_around(region, access->steps[i + 1].block) == block;
        if (!inner_is_moved)
            add_factor(&text, region, block, false);
        if (around > 0 && !is_moved_by(access, around))
            add_factor(&text, region, around, true);
    }
    return str_into(arena, &text);
}
