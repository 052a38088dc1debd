# SPDX-License-Identifier: Apache-2.0
"""Attributes and library calls that cannot be followed, and what is said of them."""
from cases_generate import frame
from support import Failure, expect


def case_functions_that_a_resolver_chooses_are_refused(session):
    session.program(("a.c", frame(
        "    pick(argc);",
        "static void one(int n) { MPI_Barrier(n ? MPI_COMM_WORLD : MPI_COMM_SELF); } "
        "static void *choose(void) { return one; } "
        "void pick(int n) __attribute__((ifunc(\"choose\")));")))
    session.generate_refuses("a.c:2:119: error: which function 'pick' is, 'choose' decides",
                             "set a pointer to a function in main")


def case_destructors_that_communicate_are_refused(session):
    session.program(("a.c", frame(
        "    MPI_Barrier(MPI_COMM_WORLD);",
        "#define LAST __attribute__((destructor))\n"
        "static void tell(void) { MPI_Barrier(MPI_COMM_WORLD); }\n"
        "LAST static void last(void) { tell(); }")))
    session.generate_refuses("a.c:4:18: error: 'last' runs when all ranks have ended (destructor)",
                             "call it at the end of main")
    quiet = "static int n; __attribute__((__destructor__)) static void last(void) { n++; }"
    session.program(("a.c", frame("    MPI_Barrier(MPI_COMM_WORLD);", quiet)))
    session.fine("generate", "-o", "x.skel", "--no-compile")


def case_functions_in_the_linkers_own_sections_are_refused(session):
    session.program(("a.c", frame(
        "    MPI_Barrier(MPI_COMM_WORLD);",
        "static void f(void) { } "
        "__attribute__((used, section(\".init_array\"))) static void (*first)(void) = f;")))
    session.generate_refuses("a.c:2:85: error: what is called from section '.init_array' is not",
                             "use the attribute constructor")


def case_streams_of_own_functions_are_refused(session):
    session.program(("a.c", frame(
        "    FILE *f = fopencookie(0, \"w\", (cookie_io_functions_t){.write = put});\n"
        "    fputs(\"x\", f);\n    fclose(f);",
        "static ssize_t put(void *c, const char *b, size_t n) "
        "{ MPI_Barrier(MPI_COMM_WORLD); return n; }").replace(
            "#include <mpi.h>", "#define _GNU_SOURCE\n#include <stdio.h>\n#include <mpi.h>")))
    session.generate_refuses("a.c:7:15: error: what the functions of a 'fopencookie' stream do",
                             "use open_memstream")


READ_BACK = """    double sum = 0, row[64];
    int level = 1;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 999; k++)
            sum += (k ^ i) * 0.5;
%s
        if (f == NULL || fscanf(f, "%%d", &level) != 1)
            level = 1;
        MPI_Bcast(row, level, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
"""

WRITE = '        FILE *f = fopen("out.tmp", "w");\n        fprintf(f, "%g", sum);\n        fclose(f);\n'
READ = '        f = fopen("%s", "r");'


def case_files_that_may_be_read_back_are_told(session):
    """By the same name, by another one, through a descriptor or a stream that led elsewhere."""
    warns = "which is assumed not to happen (files-apart); if it does, --assume no:files-apart"
    ways = [(WRITE + READ % "out.tmp", "'fopen'"),
            (WRITE + '        rename("out.tmp", "dir/in");\n' + READ % "in", "'rename'"),
            (WRITE + '        link("out.tmp", "in");\n' + READ % "./in", "'link'"),
            (WRITE + '        char name[9];\n        sprintf(name, "in%d", i);\n'
             '        f = fopen(name, "r");', "'fopen'"),
            ('        FILE *f = freopen("in", "w", stdout);\n        printf("%g", sum);\n'
             + READ % "in", "'freopen'"),
            ('        int d = open("in", O_WRONLY | O_CREAT, 0644);\n        FILE *f;\n'
             '        dup2(d, 1);\n        printf("%g", sum);\n' + READ % "in", "'open'")]
    for text, name in ways:
        source = frame(READ_BACK % text).replace(
            "#include <mpi.h>", "#include <fcntl.h>\n#include <stdio.h>\n#include <unistd.h>\n"
            "#include <mpi.h>")
        session.program(("a.c", source))
        session.fine("generate", "-o", "x.skel", "--no-compile")
        expect(warns in session.err and name in session.err, session.told(f"nothing is said of {name}"))
    for text in [WRITE + READ % "in",
                 READ.replace("f =", "FILE *f =") % "in" + "\n        break;\n    }\n"
                 '    {\n        FILE *f = fopen("in", "w");\n        fprintf(f, "%g", sum);']:
        session.program(("a.c", "#include <stdio.h>\n" + frame(READ_BACK % text)))
        session.fine("generate", "-o", "x.skel", "--no-compile")
        expect(warns not in session.err, session.told("a file is told of that is another one, or written later"))


def case_files_that_a_helper_reads_back_are_told_once_a_line(session):
    """It is analysed once for each call of it."""
    source = """#include <mpi.h>
#include <stdio.h>
static int number(const char *name, const char *other) {
    int n = 0;
    FILE *f = fopen(name, "r");
    FILE *g = fopen(other, "r");
    fscanf(f, "%d", &n);
    fscanf(g, "%d", &n);
    return n;
}
int main(int argc, char **argv) {
    int n, m;
    MPI_Init(&argc, &argv);
    FILE *out = fopen(argv[1], "w");
    fprintf(out, "%d", argc);
    fclose(out);
    n = number(argv[2], argv[3]);
    MPI_Bcast(argv[4], n, MPI_CHAR, 0, MPI_COMM_WORLD);
    m = number(argv[5], argv[6]);
    MPI_Bcast(argv[4], m, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
    session.program(("a.c", source))
    session.fine("generate", "-o", "x.skel", "--no-compile")
    for line in 5, 6:
        if session.err.count(f"a.c:{line}:15: warning: this may open what") != 1:
            raise Failure(session.told(f"line {line} is not told once"))
