/* SPDX-License-Identifier: Apache-2.0
 *
 * A growing array of any type: VEC(int) numbers = {0}; vec_push(&numbers, 3); numbers.items[0].
 * The elements live on the heap; vec_dispose gives them back. A vector of zeroes is empty and
 * valid. What is pushed first takes 64 bytes, or as much as it needs: a program has hundreds of
 * thousands of vectors with one large element.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdlib.h>

#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, capacity;                                                                    \
    }

#define vec_reserve(vec, wanted)                                                                   \
    do {                                                                                           \
        if ((vec)->capacity < (size_t)(wanted)) {                                                  \
            (vec)->capacity = (size_t)(wanted) + (vec)->capacity / 2 + 64 / sizeof *(vec)->items;  \
            (vec)->items = xrealloc((vec)->items, (vec)->capacity * sizeof *(vec)->items);         \
        }                                                                                          \
    } while (0)

#define vec_push(vec, ...)                                                                         \
    do {                                                                                           \
        vec_reserve((vec), (vec)->count + 1);                                                      \
        (vec)->items[(vec)->count++] = (__VA_ARGS__);                                              \
    } while (0)

/* Whether it is there: elements are compared by ==. */
#define vec_has(vec, item)                                                                         \
    ({                                                                                             \
        size_t vec_place = 0;                                                                      \
        while (vec_place < (vec)->count && (vec)->items[vec_place] != (item))                      \
            vec_place++;                                                                           \
        vec_place < (vec)->count;                                                                  \
    })

/* Pushes it unless it is there; false: it was. */
#define vec_push_new(vec, item)                                                                    \
    ({                                                                                             \
        bool vec_is_new = !vec_has((vec), (item));                                                 \
        if (vec_is_new)                                                                            \
            vec_push((vec), (item));                                                               \
        vec_is_new;                                                                                \
    })

#define vec_dispose(vec)                                                                           \
    do {                                                                                           \
        free((vec)->items);                                                                        \
        (vec)->items = NULL;                                                                       \
        (vec)->count = (vec)->capacity = 0;                                                        \
    } while (0)
