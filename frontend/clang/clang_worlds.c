/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether an error of clang's is that MPI_COMM_WORLD, a variable in SimGrid's mpi.h, initialises
 * what has static storage. clang goes on behind it, with the initialiser in the syntax tree; which
 * variable it is about is told by the error's place alone.
 */
#include "frontend/clang/clang_reader.h"

#include <string.h>

struct clang_worlds_search {
    CXFile file;
    unsigned offset; /* of the error */
    bool inside;     /* of the initialiser that holds it */
    bool found;
};

bool worlds_are_concerned(CXDiagnostic diagnostic) {
    CXString text = clang_getDiagnosticSpelling(diagnostic);
    bool concerned = strstr(clang_getCString(text), "not a compile-time constant") != NULL;
    clang_disposeString(text);
    return concerned;
}

static bool holds_error(CXCursor cursor, const struct clang_worlds_search *search) {
    CXSourceRange extent = clang_getCursorExtent(cursor);
    CXFile first_file, last_file;
    unsigned first, last;
    clang_getFileLocation(clang_getRangeStart(extent), &first_file, NULL, NULL, &first);
    clang_getFileLocation(clang_getRangeEnd(extent), &last_file, NULL, NULL, &last);
    return first_file != NULL && last_file != NULL &&
           clang_File_isEqual(first_file, search->file) &&
           clang_File_isEqual(last_file, search->file) && first <= search->offset &&
           search->offset <= last;
}

static bool is_world(CXCursor cursor) {
    CXString name = clang_getCursorSpelling(cursor);
    bool same = strcmp(clang_getCString(name), "MPI_COMM_WORLD") == 0;
    clang_disposeString(name);
    return same;
}

static enum CXChildVisitResult look(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct clang_worlds_search *search = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (search->inside) {
        search->found = search->found || (kind == CXCursor_DeclRefExpr && is_world(cursor));
        return search->found ? CXChildVisit_Break : CXChildVisit_Recurse;
    }
    if (clang_isDeclaration(kind) && !holds_error(cursor, search))
        return CXChildVisit_Continue;
    if (kind != CXCursor_VarDecl)
        return CXChildVisit_Recurse;
    search->inside = true;
    clang_visitChildren(cursor, look, search);
    search->inside = false;
    return search->found ? CXChildVisit_Break : CXChildVisit_Continue;
}

bool worlds_initialise(CXTranslationUnit unit, CXDiagnostic diagnostic) {
    struct clang_worlds_search search = {0};
    clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &search.file, NULL, NULL,
                          &search.offset);
    if (search.file != NULL)
        clang_visitChildren(clang_getTranslationUnitCursor(unit), look, &search);
    return search.found;
}
