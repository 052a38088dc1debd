# SPDX-License-Identifier: Apache-2.0
"""Programs that mpicc compiles: all three programs of their bundle can be built, and verify finds the
calls that are claimed."""
import os
import re
import subprocess

from support import Failure

HERE = os.path.dirname(os.path.abspath(__file__))


def accepts(session, calls, **sources):
    """sources: NAME=text of NAME.c; calls: of both ranks, without MPI_Init and MPI_Finalize."""
    session.program(*((name + ".c", text) for name, text in sources.items()))
    session.fine("generate", "-o", "app.skel")
    session.fine("verify", "app.skel", "-np", "2", "--no-real")
    session.prints(f"identical: {2 * (2 + calls)} calls on 2 ranks")


# ---- Names of SimGrid's headers ----

KEYWORDS = set("""auto break case char const continue default do double else enum extern float for goto if inline int
long main register return short signed sizeof static struct switch typedef union unsigned void volatile while""".split())


def identifiers(text, *options):
    done = subprocess.run(["gcc", "-E", "-dD", "-x", "c", *options, "-"], input=text, capture_output=True,
                          text=True, check=True)
    text = re.sub(r'^# .*$|"(\\.|[^"])*"', "", done.stdout, flags=re.M)
    return set(re.findall(r"[A-Za-z_]\w*", text))


def names_of_simgrid():
    """All that its mpi.h and smpicc bring and Open MPI's mpi.h does not, but names reserved for MPI, C and SMPI."""
    shown = subprocess.run(["mpicc", "--showme:compile"], capture_output=True, text=True, check=True)
    names = identifiers("#include <smpi/mpi.h>\n#include <smpi/smpi_helpers.h>\n")
    names -= identifiers("#include <mpi.h>\n", *shown.stdout.split()) | KEYWORDS | {"sum"}
    if len(names) < 1000 or not {"write", "sleep", "exit", "SEED", "xbt_malloc", "cancelled"} <= names:
        raise Failure(f"{len(names)} names are not those of SimGrid's headers")
    return sorted(name for name in names if not re.match("_|P?MPI|smpi|SMPI|bsim|BSIM", name))


USES = {  # what a name is used for: in front of mpi.h, declared, in a block, a use that is 1
    "function": ("", "static int {}(int x) {{ return x + 1; }}", "", "{}(0)"),
    "global": ("", "static int {} = 1;", "", "{}"),
    "member": ("", "", "struct {{ int {0}; }} of_{0} = {{1}};", "of_{0}.{0}"),
    "local": ("", "", "int {} = 1;", "{}"),
    "type": ("", "", "typedef char {};", "sizeof({})"),
    "macro": ("#undef {0}\n#define {0} 1", "", "", "{}"),
}


def unit(kinds, names):
    """count_of_KIND gives the number of names. Uses are added in twenties, which is analysed faster."""
    def lines(form):
        return "".join(form.format(name) + "\n" for name in names) if form else ""
    before = declared = functions = ""
    for kind in kinds:
        before += lines(USES[kind][0])
        declared += lines(USES[kind][1])
        uses = [USES[kind][3].format(name) for name in names]
        sums = "".join("sum += " + " + ".join(uses[i:i + 20]) + ";\n" for i in range(0, len(uses), 20))
        functions += (f"int count_of_{kind}s(void) {{\nint sum = 0;\n{{\n" + lines(USES[kind][2]) + sums +
                      "}\nreturn sum;\n}\n")
    return before + "#include <mpi.h>\n" + declared + functions


def case_names_of_simgrids_headers_are_the_programs(session):
    names = names_of_simgrid()
    main = "".join(f"int count_of_{kind}s(void);\n" for kind in USES)
    main += "int main(int argc, char **argv) {\n    MPI_Init(&argc, &argv);\n"
    for kind in USES:
        main += (f"    for (int i = count_of_{kind}s() - {len(names) - 1}; i > 0; i--)\n"
                 "        MPI_Barrier(MPI_COMM_WORLD);\n")
    main += "    MPI_Finalize();\n    return 0;\n}\n"
    accepts(session, len(USES), functions=unit(["function"], names), globals=unit(["global"], names),
            locals=unit(["member", "local", "type"], names), main=unit(["macro"], names) + main)


CLOCKS = """#include <mpi.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
struct device { int getpid; void (*sleep)(unsigned); void (*exit)(int); };
static void rest(unsigned n) { usleep(n * 1000000); }
static double now(void) {
    struct timeval time;
    gettimeofday(&time, NULL);
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}
int main(int argc, char **argv) {
    struct device device = {1, rest, exit};
    struct timespec pause = {2, 0}, begin, end;
    int rank, (*reads)(clockid_t, struct timespec *) = clock_gettime;
    double start = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    start = now();
    reads(CLOCK_MONOTONIC, &begin);
    device.sleep(3);
    sleep(rank == 0 ? 4 : 1);
    nanosleep(&pause, NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    for (int i = 0; i < (int)(now() - start + 0.5); i++)
        if (rank == 0)
            MPI_Send(&i, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
    for (int i = 0; rank == 1 && i < 9; i++)
        MPI_Recv(&argc, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < (int)(end.tv_sec - begin.tv_sec) - (rank == 0 ? 6 : 3); i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    device.exit(0);
    return 1;
}
"""


def case_functions_of_libc_that_ranks_have_otherwise_are_called(session):
    accepts(session, 9 + 3, main=CLOCKS)


# ---- Handles as integers of Fortran ----

HANDLES = r"""
#include <mpi.h>
#define SAME(kind, handle) (MPI_##kind##_f2c(MPI_##kind##_c2f(handle)) == (handle))
static int sum_over(MPI_Fint comm, MPI_Fint type, MPI_Fint op, int mine) {
    int sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_Type_f2c(type), MPI_Op_f2c(op), MPI_Comm_f2c(comm));
    return sum;
}
static void pass_on(int *from, int *to, int rank, int size, MPI_Fint *out) {
    MPI_Request requests[2];
    MPI_Irecv(to, 1, MPI_INT, (rank + size - 1) % size, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(from, 1, MPI_INT, (rank + 1) % size, 4, MPI_COMM_WORLD, &requests[1]);
    out[0] = MPI_Request_c2f(requests[0]);
    out[1] = MPI_Request_c2f(requests[1]);
}
int main(int argc, char **argv) {
    int rank, size, same = 0, number = 0, flag, mine;
    MPI_Fint requests[2], status_of_fortran[16], half;
    MPI_Group group;
    MPI_Info info;
    MPI_Win win;
    MPI_File file;
    MPI_Comm other;
    MPI_Status status, again;
    MPI_Message message;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &other);
    MPI_Comm_group(other, &group);
    MPI_Info_create(&info);
    MPI_Win_create(&number, sizeof number, 1, info, MPI_COMM_WORLD, &win);
    MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    same += SAME(Comm, other) + SAME(Comm, MPI_COMM_NULL) + SAME(Type, MPI_DOUBLE) + SAME(Op, MPI_SUM);
    same += SAME(Group, group) + SAME(Request, MPI_REQUEST_NULL) + SAME(Info, info) + SAME(Win, win);
    same += SAME(File, file) + SAME(Errhandler, MPI_ERRORS_RETURN);
    for (int i = 0; i < same; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    half = MPI_Comm_c2f(other);
    same = sum_over(half, MPI_Type_c2f(MPI_INT), MPI_Op_c2f(MPI_SUM), 2);
    same += sum_over(MPI_Comm_c2f(MPI_COMM_WORLD), MPI_Type_c2f(MPI_INT), MPI_Op_c2f(MPI_MAX), rank + 1);
    mine = same; /* 2 + 2 */
    pass_on(&mine, &number, rank, size, requests);
    for (int i = 0; i < 2; i++) {
        MPI_Request request = MPI_Request_f2c(requests[i]);
        MPI_Wait(&request, &status);
    }
    for (int i = 0; i < number; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&number, 1, MPI_INT, rank, 7, MPI_COMM_WORLD);
    MPI_Improbe(rank, 7, MPI_COMM_WORLD, &flag, &message, &status);
    message = MPI_Message_f2c(MPI_Message_c2f(message));
    MPI_Mrecv(&number, 1, MPI_INT, &message, &status);
    MPI_Status_c2f(&status, status_of_fortran);
    MPI_Status_f2c(status_of_fortran, &again);
    for (int i = 0; i < again.MPI_TAG; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def case_handles_go_through_integers_of_fortran(session):
    accepts(session, 3 + 10 + 2 + 4 + 4 + 3 + 7, main=HANDLES)


# ---- Declarations of old and of strange forms ----

HEADS = r"""
#include <mpi.h>
#include <stdlib.h>
typedef struct { long rows, columns; double *field; } *problem;
typedef union { long count; double *data; } *choice;
void total(int *, int *, int);
static int steps[100], data[100], often, unused;
static double sweep(problem p, choice c) {
    double sum = 0;
    for (long i = 0; i < p->rows * p->columns; i++)
        sum += p->field[i] = 0.5 * p->field[i] + i;
    for (long i = 0; i < c->count; i++)
        sum += i;
    return sum;
}
static void residual(void *user, void *other) {
    double local = sweep(user, other), sum;
    MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void first(int n) { void total(); total(steps, &often, n); }
static void second(int n) { void total(); total(data, &unused, n); }
void total(a, sum, n) /* ends; here */
    int *a, *sum;
    int n;
{
    int i;
    *sum = 0;
    for (i = 0; i < n; i++)
        *sum += a[i];
    MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
    problem p = malloc(sizeof *p);
    choice c = malloc(sizeof *c);
    MPI_Init(&argc, &argv);
    p->rows = 4;
    p->columns = 6;
    p->field = calloc(24, sizeof *p->field);
    c->count = 1000;
    residual(p, c);
    for (int i = 0; i < 8; i++) {
        steps[i] = i % 2;
        data[i] = i * i;
    }
    first(8);
    second(8);
    for (int i = 0; i < often; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def case_old_heads_are_copied_and_unnamed_structs_are_not_named(session):
    accepts(session, 1 + 2 + 4, main=HEADS)


LEFT_OUT = r"""
#include <mpi.h>
#include <unistd.h>
static int piped(void) {
#ifdef BSIM_SKELETON
    switch (-1) {
#else
    switch (fork()) {
#endif
    case -1: return 1;
    case 0: _exit(0);
    }
    return 0;
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
#ifndef BSIM_SKELETON
    MPI_Comm other;
    if (argc > 5)
        MPI_Comm_join(0, &other);
#endif
    for (int i = argc > 5 ? piped() : 3; i > 0; i--)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def case_what_the_skeleton_leaves_out_is_accepted(session):
    accepts(session, 3, main=LEFT_OUT)


# ---- C that is rarely written ----

SIZED_TYPES = r"""
#include <mpi.h>
static int work[4000];
static int cells(int n) {
    int *at = work;
    typedef int row[n], table[n + 1][2];
    typedef row rows[3];
    typedef double (*plane)[n];
    plane p = (plane)(void *)work;
    row filled, unread;
    n += 100;
    for (int i = 0; i < (int)(sizeof(row) / sizeof(int)); i++)
        filled[i] = unread[i] = i;
    at = (int *)((row *)at + 2);
    return filled[2] + (int)(at - work) + (int)(sizeof(table) / sizeof *at) + (int)(sizeof(rows) / sizeof(row)) +
           (int)((double *)(p + 1) - (double *)p);
}
int main(int argc, char **argv) {
    int count = 0, steps = 0;
    MPI_Init(&argc, &argv);
    for (int i = 1; i < 4; i++) {
        typedef char bytes[count++ + i];
        bytes *none = 0, some;
        steps += (int)sizeof *none + (int)sizeof some;
    }
    for (int i = steps + count + cells(3); i > 0; i--)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def case_typedefs_of_variable_length_keep_their_length(session):
    # steps: 2 * (1 + 3 + 5); cells: 2, two rows of 3, a table of 8, 3 rows, a plane of 3
    accepts(session, 18 + 3 + 22, main=SIZED_TYPES)


OTHER_MAIN = r"""
#include <mpi.h>
#include <stdlib.h>
int main(unsigned count, char *words) {
    char **argv = (char **)words;
    int argc = (int)count;
    MPI_Init(&argc, &argv);
    for (int i = argc > 1 ? atoi(argv[1]) : 3; i > 0; i--)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def case_parameters_of_main_that_compilers_take_are_warned_of(session):
    accepts(session, 3, main=OTHER_MAIN)
    for _ in range(2):  # the second one reads what was parsed from the cache
        session.fine("generate", "-o", "app.skel")
        if "main.c:4:32: warning: 'words' of main is given 'char **'" not in session.err:
            raise Failure(session.told("no warning of main's parameter"))
    session.fine("verify", "app.skel", "-np", "2", "--no-real", "--", "5")
    session.prints("identical: 14 calls on 2 ranks")


INLINE = r"""
#include <mpi.h>
extern __inline __attribute__((gnu_inline)) double twice(double x) { return 2 * x; }
extern __inline __attribute__((gnu_inline, always_inline)) double half(double x) { return x / 2; }
inline double third(double x) { return x / 3; }
"""
INLINE_MAIN = INLINE + r"""
int other(void);
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int i = (int)(twice(1.5) + half(5) + third(6.3)) + other(); i > 0; i--)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
INLINE_OTHER = INLINE + "int other(void) { return (int)(twice(0.5) + third(3.2)); }\n"
OUT_OF_LINE = INLINE + """double twice(double x) { return x + x; }
double half(double x) { return x * 0.5; }
"""
THIRD = "double third(double x) { return x * (1. / 3); }\n"


def case_inline_definitions_without_a_symbol_are_none_for_the_linker(session):
    accepts(session, 7 + 2, a_main=INLINE_MAIN, other=INLINE_OTHER, out_of_line=OUT_OF_LINE, third=THIRD)


# ---- One text in several units ----

TEMPLATE = r"""/* the file that includes it says what the function is called */
#ifdef LINKAGE
LINKAGE
#endif
void NAME(double *const a, const int n) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && a[j] < a[j - 1]; j--) {
            double t = a[j];
            a[j] = a[j - 1];
            a[j - 1] = t;
        }
}
#ifdef TWICE
LINKAGE
#endif
double JOIN(NAME)(double a) {
    return 2 * a;
}
"""
UNITS = {
    "fields": """#define LINKAGE static
#define TWICE
#define NAME sort_fields
#define JOIN(name) twice_fields
#include "sort.h"
void order(double *a, int n) { a[0] = twice_fields(a[0]); sort_fields(a, n); }
""",
    "lengths": """#define NAME sort_lengths
#define JOIN(name) twice_lengths
#include "sort.h"
""",
    "widths": """#define LINKAGE extern
#define NAME sort_widths
#define JOIN(name) twice_widths
#include "sort.h"
""",
    "main": r"""
#include <mpi.h>
void %s(double *const a, const int n);
static double length[64];
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 64; i++)
        length[i] = (i * 5 + 1) %% 64;
    %s(length, 64);
    for (int i = 0; i < (int)length[2]; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""}


def case_texts_of_which_a_macro_is_the_qualifier_stay_for_who_needs_them(session):
    session.write("sort.h", TEMPLATE)
    for needed in ("sort_lengths", "sort_widths"):
        accepts(session, 2, **dict(UNITS, main=UNITS["main"] % (needed, needed)))
    accepts(session, 20, **dict(UNITS, main=UNITS["main"].replace(
        "    %s(length, 64);\n", "    MPI_Barrier(MPI_COMM_WORLD);\n").replace(
            "(int)length[2]", "19") % "order"))


# ---- Sources without a name ----

PARTS = {
    "count.h": "#include <mpi.h>\nvoid barriers(int n);\nint piped(void);\nint defined(void);\nint made(void);\n"
               "int more(void);\n",
    "more.cpp": "#include <mpi.h>\nextern \"C\" int more(void) { return STEPS - 1; }\n",
    "main.c": """#include "count.h"
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    barriers(piped() + defined() + made() + more());
    MPI_Finalize();
    return 0;
}
""",
    "barriers.c": '#include "count.h"\nvoid barriers(int n) {\n    while (n-- > 0)\n'
                  "        MPI_Barrier(MPI_COMM_WORLD);\n}\n",
    "piped.c": '#include "count.h"\nint piped(void) { return 1; }\n',
    "defined.c": '#include "count.h"\nint defined(void) { return COUNT; }\n',
    "made.c": '#include "count.h"\nint made(void) { return 5; }\n'}
UNNAMED = """mkdir -p obj
mpicc -E barriers.c > barriers.i
mpicc -O1 -c barriers.i -o barriers.o
mpicc -DCOUNT=2 -E defined.c -o defined.i
mpicc -DCOUNT=3 -E defined.c -o obj/defined.i
mpicc -DCOUNT=4 -E defined.c -o other.i
mpicc -DCOUNT=9 -c -o defined.o obj/defined.i
cat piped.c | mpicc -x c -c -o obj/piped.o -
mpicc -E made.c | {} mpicc -xcpp-output - -c -o made.o
mpicxx -DSTEPS=1 -E more.cpp > more.2.cpp
mpicxx -c more.2.cpp -o more.o
mpicc -c main.c
mpicxx -o app main.o barriers.o defined.o obj/piped.o made.o more.o
"""


def case_sources_from_pipes_and_preprocessed_ones_are_captured(session):
    for name, text in PARTS.items():
        session.write(name, text)
    session.write("build.sh", UNNAMED.format(""))
    session.fine("capture", "--", "sh", "-e", "build.sh")
    session.fine("generate", "-o", "app.skel")
    session.fine("verify", "app.skel", "-np", "2", "--no-real")
    session.prints("identical: 22 calls on 2 ranks")
    session.write("build.sh", UNNAMED.format("sed s/5/6/ |"))
    session.fine("capture", "--", "sh", "-e", "build.sh")
    if "standard input, which is compiled, is preprocessed" not in session.err:
        raise Failure(session.told("no warning of what is not the preprocessor's"))
