/* SPDX-License-Identifier: Apache-2.0
 *
 * Classes and functions of the C++ library that are read: the rows of library.def, by name.
 */
#ifndef MPI_LIBRARY_H
#define MPI_LIBRARY_H

#include <stdbool.h>

enum library_shape {
    LIBRARY_SHAPE_CONTAINER,
    LIBRARY_SHAPE_KEYED,
    LIBRARY_SHAPE_STATE,
    LIBRARY_SHAPE_STREAM,
    LIBRARY_SHAPE_ITERATOR,
    LIBRARY_SHAPE_RECORD,
};

enum library_element {
    LIBRARY_ELEMENT_NONE = -1,
    LIBRARY_ELEMENT_MAPPED = -2,
    LIBRARY_ELEMENT_POINTED = -3
};

struct library_class {
    const char *name;
    enum library_shape shape;
    int element; /* a template argument, or an enum library_element */
};

enum library_result {
    LIBRARY_RESULT_NOTHING,
    LIBRARY_RESULT_VALUE,
    LIBRARY_RESULT_SIZE,
    LIBRARY_RESULT_EMPTY,
    LIBRARY_RESULT_DATA,
    LIBRARY_RESULT_END,
    LIBRARY_RESULT_ELEMENT,
    LIBRARY_RESULT_FIRST,
    LIBRARY_RESULT_LAST,
    LIBRARY_RESULT_MAPPED,
    LIBRARY_RESULT_FOUND,
    LIBRARY_RESULT_OBJECT,
    LIBRARY_RESULT_SAME,
    LIBRARY_RESULT_CHANGED,
};

struct library_function {
    const char *classes, *names, *effects;
    enum library_result result;
    bool compares;
};

/* By its name without scopes and arguments; NULL: there is no row. */
const struct library_class *library_class(const char *name);

/* A method of the class ("new": a constructor), or a function (class NULL); NULL: there is no row.
 */
const struct library_function *library_function(const struct library_class *of, const char *name);

/* The effect on argument `index`, that on the object included. */
char library_effect(const struct library_function *function, int index);

#endif
