/* SPDX-License-Identifier: Apache-2.0 */
#include "mpi/library.h"

#include <stddef.h>
#include <string.h>

#define NONE LIBRARY_ELEMENT_NONE
#define MAPPED LIBRARY_ELEMENT_MAPPED
#define POINTED LIBRARY_ELEMENT_POINTED
#define LIBRARY_CLASS(name, shape, element) {#name, LIBRARY_SHAPE_##shape, element},
static const struct library_class classes[] = {
#include "mpi/library.def"
};
#undef NONE
#undef MAPPED
#undef POINTED

#define LIBRARY(classes, names, effects, result, compares)                                         \
    {classes, names, effects, LIBRARY_RESULT_##result, compares},
static const struct library_function functions[] = {
#include "mpi/library.def"
};

static bool has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; *at != '\0'; at += strspn(at, " ")) {
        size_t here = strcspn(at, " ");
        if (here == length && strncmp(at, word, length) == 0)
            return true;
        at += here;
    }
    return false;
}

const struct library_class *library_class(const char *name) {
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(classes[i].name, name) == 0)
            return &classes[i];
    return NULL;
}

static bool is_of(const char *words, const struct library_class *class) {
    bool is_keyed = class->shape == LIBRARY_SHAPE_KEYED;
    bool is_sequence = class->shape == LIBRARY_SHAPE_CONTAINER;
    bool is_state = class->shape == LIBRARY_SHAPE_STATE;
    bool is_stream = class->shape == LIBRARY_SHAPE_STREAM;
    return has_word(words, class->name) || (is_stream && has_word(words, "streams")) ||
           (is_state && has_word(words, "states")) || (is_keyed && has_word(words, "keyed")) ||
           (is_sequence && has_word(words, "sequences")) ||
           ((is_keyed || is_sequence) && has_word(words, "containers"));
}

const struct library_function *library_function(const struct library_class *of, const char *name) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const struct library_function *row = &functions[i];
        bool is_method = row->classes[0] != '\0';
        if (is_method == (of != NULL) && has_word(row->names, name) &&
            (of == NULL || is_of(row->classes, of)))
            return row;
    }
    return NULL;
}

char library_effect(const struct library_function *function, int index) {
    int last = (int)strlen(function->effects) - 1;
    return function->effects[index < last ? index : last];
}
