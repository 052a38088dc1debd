# SPDX-License-Identifier: Apache-2.0
"""What gcc takes and clang, which parses, does not, or takes for something else."""
import json

from cases_generate import frame


def built_with(session, text, *options):
    """A program of one unit, compiled with the options."""
    session.program(("a.c", text))
    entry = json.loads(session.read("compile_commands.json"))[0]
    entry["arguments"][1:1] = options
    session.write("compile_commands.json", json.dumps([entry]))


SENDS = "MPI_Bcast(data, next(%s), MPI_DOUBLE, 0, MPI_COMM_WORLD);"
SECOND = ("struct base { int n; }; struct outer { int before; struct { struct base; }; };"
          " double data[9]; int next(struct base *b) { return b->n; }")
NAMED = ("typedef struct { int n; } base; struct outer { int before; base; };"
         " double data[9]; int next(base *b) { return b->n; }")


def case_what_gcc_alone_has_is_refused_by_name(session):
    rows = [
        ("int twice(int i) { return 2 * i * argc; }", "", "5:22", "functions in functions are gcc's alone"),
        ("auto int later(int i);", "", "5:5", "functions in functions are gcc's alone"),
        ("struct { int n, row[argc]; } all; all.n = 1;", "", "5:21", "records of variable size"),
        ("double w = __builtin_j0(1.0);", "", "5:16", "unknown builtin '__builtin_j0'"),
        ("void *p = __builtin_apply_args();", "", "5:15", "call a function of the library instead"),
        ("_Decimal64 w = 1;", "", "5:5", "decimal numbers are gcc's alone"),
        ("int n = 1;", 'register int pinned __asm__("ebx");', "2:29", "variables in registers"),
        ("double w = 1.0f64x;", "", "5:19", "this suffix is gcc's alone"),
    ]
    for inside, before, place, message in rows:
        session.program(("a.c", frame("    " + inside, before)))
        session.generate_refuses(f"a.c:{place}: error: ", message)


def case_records_inside_that_are_handed_on_are_refused_by_their_option(session):
    built_with(session, frame("    struct outer d = {.before = 1};\n    " + SENDS % "&d", SECOND),
               "-fplan9-extensions")
    session.generate_refuses("a.c:6:26: error: ", "-fplan9-extensions", "not the first member")
    built_with(session, frame("    struct outer d = {.before = 1};\n    " + SENDS % "&d.base", NAMED),
               "-fplan9-extensions")
    session.generate_refuses("a.c:6:29: error: ", "-fplan9-extensions", "give the member a name")


def case_assembly_at_file_scope_is_refused(session):
    rows = [r'__asm__(".globl bump\nbump:\n addl $2, count(%rip)\n ret\n");',
            r'asm(".globl twin\n" ".set twin, bump");', r'__asm__ (".symver a, b@V1; .set a, b");',
            '#define SET(a, b) ".set " #a ", " #b\n__asm__(SET(twin, bump));']
    for row in rows:
        line = 2 + row.count("\n")
        session.program(("a.c", "#include <mpi.h>\n" + row + "\nint main(int argc, char **argv) {\n"
                         "    MPI_Init(&argc, &argv);\n    MPI_Finalize();\n    return 0;\n}\n"))
        session.generate_refuses(f"a.c:{line}:1: error: ", "assembly at file scope", "write it in C")
