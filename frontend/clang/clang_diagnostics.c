/* SPDX-License-Identifier: Apache-2.0
 *
 * What clang says about a unit: errors are printed in its words, those of gcc's own language with
 * what it is and what to do. Passed over is what gcc takes and what means nothing to the analysis.
 */
#include "frontend/clang/clang_reader.h"

#include <string.h>

struct clang_remedy {
    const char *message; /* a part of clang's */
    const char *note;
};

static const struct clang_remedy remedies[] = {
    {"previous implicit declaration",
     "it is called before it is declared, of which gcc only warns: declare it in a header that "
     "the build names with -include"},
    {"function definition is not allowed here",
     "functions in functions are gcc's alone, and mpiskel's parser, clang, has none: move it in "
     "front of the function around it, and hand it what it uses of that one"},
    {"illegal storage class on function",
     "functions in functions are gcc's alone, and mpiskel's parser, clang, has none: move it in "
     "front of the function around it, and hand it what it uses of that one"},
    {"'variable length array in structure'",
     "records of variable size are gcc's alone, and mpiskel's parser, clang, has none: allocate "
     "the array by itself"},
    {"decimal type extension not supported",
     "decimal numbers are gcc's alone, and mpiskel's parser, clang, has none: use double or an "
     "integer"},
    {"unsuitable for global register variables",
     "variables in registers for the whole program are gcc's alone, and mpiskel's parser, clang, "
     "has none: leave out register and asm"},
    {"use of unknown builtin",
     "it is gcc's alone, and mpiskel's parser, clang, does not know it: call a function of the "
     "library instead"},
    {"on floating constant",
     "this suffix is gcc's alone, and mpiskel's parser, clang, does not know it: leave it out, or "
     "write a cast"},
};

/* The text of the message holds `part`, or that of a note that belongs to it. */
static bool says(CXDiagnostic diagnostic, const char *part) {
    CXString text = clang_getDiagnosticSpelling(diagnostic);
    bool found = strstr(clang_getCString(text), part) != NULL;
    CXDiagnosticSet notes = clang_getChildDiagnostics(diagnostic);
    clang_disposeString(text);
    for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes) && !found; i++) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
        found = says(note, part);
        clang_disposeDiagnostic(note);
    }
    return found;
}

/* gcc's form of the attribute names what frees the block; clang goes on without. Of parameters of
 * main that are no `int` and `char **` gcc says nothing; check_program does. */
static bool is_about_nothing(CXDiagnostic diagnostic) {
    return says(diagnostic, " parameter of 'main' (") ||
           says(diagnostic, "malloc' attribute takes no arguments") ||
           says(diagnostic, "malloc__' attribute takes no arguments");
}

static bool names_communicator(const struct program *program, struct range range) {
    const char *name = "MPI_COMM_";
    return range.file >= 0 && range.begin < program->files.items[range.file]->length &&
           strncmp(program->files.items[range.file]->text + range.begin, name, strlen(name)) == 0;
}

static void print_remedy(struct program *program, CXDiagnostic diagnostic, struct range range,
                         bool has_base_records) {
    if (has_base_records && says(diagnostic, "no member named"))
        program_report(program, range, "note",
                       "with -fplan9-extensions the name of a type names the member of that type; "
                       "mpiskel's parser, clang, does not know that: give the member a name");
    for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++)
        if (says(diagnostic, remedies[i].message)) {
            program_report(program, range, "note", "%s", remedies[i].note);
            return;
        }
}

static void print_error(struct program *program, CXTranslationUnit unit, CXDiagnostic diagnostic,
                        bool has_base_records) {
    unsigned options = CXDiagnostic_DisplaySourceLocation | CXDiagnostic_DisplayColumn;
    struct range range = {-1, 0, 0};
    CXFile file = NULL;
    clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, &range.begin);
    struct clang_reader reader = {.program = program, .unit = unit};
    range.file = reader_file(&reader, file);
    range.end = range.begin;
    CXString text = range.file >= 0 ? clang_getDiagnosticSpelling(diagnostic)
                                    : clang_formatDiagnostic(diagnostic, options);
    program_report(program, range, "error", "%s", clang_getCString(text));
    clang_disposeString(text);
    if (worlds_are_concerned(diagnostic) && names_communicator(program, range))
        program_report(program, range, "note",
                       "SimGrid, with which the skeleton is compiled, knows it at run time "
                       "only: assign it in main, behind MPI_Init, instead");
    print_remedy(program, diagnostic, range, has_base_records);
    reader_dispose(&reader);
}

int reader_diagnostics(struct program *program, CXTranslationUnit unit, bool has_base_records) {
    int errors = 0;
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        bool is_error = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error ||
                        says(diagnostic, "use of unknown builtin");
        if (is_error && !is_about_nothing(diagnostic) &&
            !(worlds_are_concerned(diagnostic) && worlds_initialise(unit, diagnostic))) {
            print_error(program, unit, diagnostic, has_base_records);
            errors++;
        }
        clang_disposeDiagnostic(diagnostic);
    }
    return errors;
}
