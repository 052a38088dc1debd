/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditionals that ask the compiler what it can do (__has_attribute, __has_builtin,
 * __has_feature): the parser would answer for clang, the program was compiled with gcc's answers.
 */
#pragma once

#include "frontend/clang/clang.h"
#include "frontend/commands/taken_lines.h"

#include <clang-c/Index.h>

struct clang_branches {
    struct program *program;
    const struct parse_task *task;
    bool is_asked, is_answered;
    struct taken_lines taken;
    /* What the parser reads in place of files, byte by byte at the same place: such conditions are
     * 1 or 0 in it, as gcc found them. */
    VEC(struct CXUnsavedFile) files;
};

/* Looks through the files of the unit; true: `files` are others now, so parse again. */
bool branches_decide(struct clang_branches *branches, CXTranslationUnit unit);
void branches_dispose(struct clang_branches *branches);
