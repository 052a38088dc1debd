/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a C++ unit that cannot be read may stay as it is: all of its text but that of the system
 * is looked through, templates included, for names of MPI, for functions and variables that other
 * units define, and for variables that outlive a call (ranks may share them in a simulation).
 */
#include "frontend/clang/clang_cxx.h"

#include "base/file.h"
#include "base/str.h"

#include <string.h>

static bool is_of_mpi(CXCursor cursor) {
    CXString name = clang_getCursorSpelling(cursor);
    const char *text = clang_getCString(name);
    bool found = text_has_prefix(text, "MPI_") || text_has_prefix(text, "PMPI_");
    clang_disposeString(name);
    return found;
}

static bool is_defined_elsewhere(CXCursor named) {
    enum CXCursorKind kind = clang_getCursorKind(named);
    bool is_code = kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
                   kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
                   kind == CXCursor_ConversionFunction || kind == CXCursor_VarDecl;
    return is_code && !reader_is_of_the_system(named) && !clang_CXXMethod_isDefaulted(named) &&
           clang_getCursorLinkage(named) == CXLinkage_External &&
           clang_Cursor_isNull(clang_getCursorDefinition(named));
}

static bool outlives_calls(CXCursor cursor) {
    if (clang_getCursorKind(cursor) != CXCursor_VarDecl)
        return false;
    enum CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(cursor));
    bool is_local = parent == CXCursor_FunctionDecl || parent == CXCursor_CXXMethod ||
                    parent == CXCursor_Constructor || parent == CXCursor_Destructor ||
                    parent == CXCursor_FunctionTemplate || parent == CXCursor_ConversionFunction ||
                    parent == CXCursor_LambdaExpr;
    bool is_static = !is_local || clang_Cursor_getStorageClass(cursor) == CX_SC_Static;
    return is_static && clang_Cursor_getStorageClass(cursor) != CX_SC_Extern &&
           !clang_isConstQualifiedType(clang_getCanonicalType(clang_getCursorType(cursor)));
}

/* Of an inline function in a header the linker takes any unit's: that of a unit that is rewritten
 * would be another one. */
static bool is_shared_definition(CXCursor cursor) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    return (kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
            kind == CXCursor_Constructor || kind == CXCursor_Destructor) &&
           clang_isCursorDefinition(cursor) && !clang_CXXMethod_isDefaulted(cursor) &&
           clang_getCursorLinkage(cursor) == CXLinkage_External &&
           !clang_Location_isFromMainFile(clang_getCursorLocation(cursor)) &&
           clang_getCursorKind(clang_getCursorSemanticParent(cursor)) != CXCursor_ClassTemplate;
}

static enum CXChildVisitResult look(CXCursor cursor, CXCursor parent, CXClientData data) {
    bool *is_joined = data;
    (void)parent;
    if (clang_isDeclaration(clang_getCursorKind(cursor)) && reader_is_of_the_system(cursor))
        return CXChildVisit_Continue;
    CXCursor named = clang_getCursorReferenced(cursor);
    if (clang_isPreprocessing(clang_getCursorKind(cursor)))
        return CXChildVisit_Continue;
    *is_joined = outlives_calls(cursor) || is_shared_definition(cursor) || is_of_mpi(cursor) ||
                 (!clang_isDeclaration(clang_getCursorKind(cursor)) &&
                  !clang_Cursor_isNull(named) && (is_of_mpi(named) || is_defined_elsewhere(named)));
    return *is_joined ? CXChildVisit_Break : CXChildVisit_Recurse;
}

bool cxx_is_separate(struct clang_reader *reader) {
    bool is_joined = false;
    clang_visitChildren(clang_getTranslationUnitCursor(reader->unit), look, &is_joined);
    return !is_joined;
}
