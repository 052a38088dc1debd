/* SPDX-License-Identifier: Apache-2.0
 *
 * See collective_tree.h. A rank is counted from the root on while its place is looked for.
 */
#include "runtime/openmpi/collective_tree.h"

#define RADIX 4

static int from_root(const struct group *group, int root) {
    return (group->rank - root + group->size) % group->size;
}

static int real(const struct group *group, int root, int place) {
    return (place + root) % group->size;
}

static void add_child(struct collective_tree *out, const struct group *group, int root, int place) {
    if (place < group->size && out->count < TREE_CHILDREN_MOST)
        out->children[out->count++] = real(group, root, place);
}

void bsim__tree_chain(struct collective_tree *out, const struct group *group, int root) {
    int place = from_root(group, root);
    *out = (struct collective_tree){.parent = place > 0 ? real(group, root, place - 1) : -1};
    add_child(out, group, root, place + 1);
}

void bsim__tree_binary(struct collective_tree *out, const struct group *group, int root) {
    int place = from_root(group, root), level_begin = 0, level_size = 1;
    while (place >= level_begin + level_size) {
        level_begin += level_size;
        level_size *= 2;
    }
    *out = (struct collective_tree){.parent = -1};
    if (place > 0) {
        int above = level_size / 2, index = (place - level_begin) % above;
        out->parent = real(group, root, level_begin - above + index);
    }
    add_child(out, group, root, place + level_size);
    add_child(out, group, root, place + 2 * level_size);
}

void bsim__tree_binomial(struct collective_tree *out, const struct group *group, int root) {
    int place = from_root(group, root), mask = 1;
    while (mask <= place)
        mask *= 2;
    *out =
        (struct collective_tree){.parent = place > 0 ? real(group, root, place ^ (mask / 2)) : -1};
    for (; mask < group->size; mask *= 2)
        add_child(out, group, root, place ^ mask);
}

void bsim__tree_binomial_in_order(struct collective_tree *out, const struct group *group,
                                  int root) {
    int place = from_root(group, root), mask = 1;
    *out = (struct collective_tree){.parent = -1};
    for (; mask < group->size && (place & mask) == 0; mask *= 2)
        add_child(out, group, root, place | mask);
    if (place > 0)
        out->parent = real(group, root, place ^ mask);
}

void bsim__tree_knomial(struct collective_tree *out, const struct group *group, int root) {
    int place = from_root(group, root), mask = 1;
    *out = (struct collective_tree){.parent = -1};
    while (mask < group->size && place % (RADIX * mask) == 0)
        mask *= RADIX;
    if (place > 0)
        out->parent = real(group, root, place - place % (RADIX * mask));
    for (mask /= RADIX; mask > 0; mask /= RADIX)
        for (int i = 1; i < RADIX; i++)
            add_child(out, group, root, place + i * mask);
}

/* The ranks from `first` on, `size` of them, are a subtree; its root is the last of them, and its
 * right subtree the first half. */
void bsim__tree_binary_in_order(struct collective_tree *out, const struct group *group) {
    int first = 0, size = group->size, parent = -1;
    for (;;) {
        int root = first + size - 1, right = size / 2, left = size - right - 1;
        if (group->rank == root) {
            *out = (struct collective_tree){.parent = parent};
            if (size > 1)
                out->children[out->count++] = root - 1;
            if (left > 0 && right > 0 && size > 2)
                out->children[out->count++] = first + right - 1;
            return;
        }
        parent = root;
        bool is_right = group->rank < first + right && size > 2;
        first = is_right || size <= 2 ? first : first + right;
        size = is_right ? right : size > 2 ? left : 1;
    }
}
