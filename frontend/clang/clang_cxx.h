/* SPDX-License-Identifier: Apache-2.0
 *
 * C++ becomes the syntax tree of C (docs/explanation/cxx.md): what the files clang_cxx_* share, and
 * what the readers of C call. Whatever is on no list here is refused at its place.
 */
#ifndef FRONTEND_CLANG_CLANG_CXX_H
#define FRONTEND_CLANG_CLANG_CXX_H

#include "frontend/clang/clang_reader.h"

/* With what stands in namespaces, extern "C" and classes, behind each of these. */
struct cursors cxx_flat(struct clang_reader *reader, struct cursors top);

/* Notes that the unit has something that cannot be read; `what`: "this ... " */
void cxx_refuse(struct clang_reader *reader, CXCursor cursor, const char *what);

/* The end of a unit: without refusals it is read. With some it stays whole where that is sound
 * (clang_cxx_separate.c); else they become errors, and the result is false. */
bool cxx_conclude(struct clang_reader *reader, struct unit *out);

/* The unit makes no MPI call, uses nothing of other units, and keeps nothing between calls: what it
 * does is what a library without source does. */
bool cxx_is_separate(struct clang_reader *reader);

#endif
