# SPDX-License-Identifier: Apache-2.0
"""Builds of C and C++, and builds without either."""
import json
import os
import subprocess

from support import ENVIRONMENT, Failure, expect

HERE = os.path.dirname(os.path.abspath(__file__))

MAIN = """#include <mpi.h>
int count_of(int n);
int main(int argc, char **argv) {
    static double x[100];
    MPI_Init(&argc, &argv);
    MPI_Bcast(x, count_of(argc), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
TEMPLATE = """#include <vector>
template <class T> struct Box { T t; T get() const { return t; } };
"""
COUNT = TEMPLATE + """extern "C" int count_of(int n) {
    std::vector<int> v(n);
    Box<int> b{n};
    v.push_back(b.get());
    return (int)v.size();
}
"""
BUILD = "mpicc -c main.c\nmpicxx -c count.cpp\n"


def capture(session, count, script, main=MAIN):
    session.write("main.c", main)
    session.write("count.cpp", count)
    session.write("build.sh", script)
    session.fine("capture", "--", "sh", "-e", "build.sh")


def case_units_of_cxx_that_make_no_call_stay_whole(session):
    """However they come into the link, and out of the cache as well; all programs are made of them at one time."""
    for link in ["mpicxx main.o count.o -o app\n", "ar cr libs.a count.o\nmpicxx main.o libs.a -o app\n",
                 "mpicc main.o count.o -lstdc++ -o app\n", "mpicxx main.o count.cpp -o app\n"]:
        capture(session, COUNT, BUILD + link)
        for _ in range(2):
            session.fine("generate", "-o", "app.skel")
            expect("count.cpp is C++ that cannot be read; it makes no MPI call" in session.err, session.told(link))
        session.prints("app.skel: 2 units")
        session.write("count.cpp", "what is edited later is in no program")
        session.fine("verify", "app.skel", "-np", "2", "--no-real")
        session.prints("identical: 6 calls on 2 ranks")


def case_units_that_other_units_meet_do_not_stay_whole(session):
    """They call MPI, call back, share a variable, or keep one for themselves."""
    for what in ["#include <mpi.h>\nextern \"C\" int count_of(int n) { Box<int> b{n}; MPI_Barrier(MPI_COMM_WORLD);"
                 " return b.get(); }",
                 "extern \"C\" int steps(int);\nextern \"C\" int count_of(int n) { Box<int> b{n}; return steps(b.get()); }",
                 "extern \"C\" int shared;\nextern \"C\" int count_of(int n) { Box<int> b{n}; return b.get() + shared; }",
                 "static int calls;\nextern \"C\" int count_of(int n) { Box<int> b{n}; return b.get() + calls++; }",
                 "extern \"C\" int count_of(int n) { static int calls; Box<int> b{n}; return b.get() + calls++; }",
                 "#include <mpi.h>\ntemplate <class T> void meet(T c) { MPI_Barrier(c); }\n"
                 "extern \"C\" int count_of(int n) { Box<int> b{n}; meet(MPI_COMM_WORLD); return b.get(); }"]:
        main = MAIN + "int shared = 1;\nint steps(int n) { MPI_Barrier(MPI_COMM_WORLD); return n; }\n"
        capture(session, TEMPLATE + what, BUILD + "mpicxx main.o count.o -o app\n", main)
        session.generate_refuses("count.cpp:", "is C++ that cannot be read",
                                 "`mpiskel record` and `mpiskel synthesize`")


def case_units_with_inline_functions_of_headers_do_not_stay_whole(session):
    """The linker would take either unit's, and in the skeleton they are not the same."""
    session.write("shared.h", "inline int shared(int n) { return n + 1; }\n")
    capture(session, TEMPLATE + "#include \"shared.h\"\nextern \"C\" int count_of(int n) { Box<int> b{n}; "
                                "return shared(b.get()); }\n", BUILD + "mpicxx main.o count.o -o app\n")
    session.generate_refuses("count.cpp:", "is C++ that cannot be read")


FILES = """#include <fstream>
#include <mpi.h>
struct log { int level; std::ofstream out; };
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    { log l; l.out.open("n"); l.out << argc; }
    std::ifstream in("n");
    int n = 0;
    in >> n;
    MPI_Bcast(&argc, n, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
"""


def case_files_of_streams_need_their_assumption(session):
    session.write("app.cpp", FILES)
    session.fine("capture", "--", "mpicxx", "-std=c++17", "app.cpp", "-o", "app")
    session.fine("generate", "--no-compile", "-o", "app.skel")
    session.refused("generate", "-o", "app.skel", "--assume", "none", says="app.cpp:7:19: error: a file of a C++ stream")
    expect("app.cpp:6:11: error" in session.err, "a member is not refused")


MODERN = """#include <compare>
#include <mpi.h>
#if __has_include("mpi-ext.h")
#include "mpi-ext.h"
#endif
enum class Kind { one = 1, two };
int main(int argc, char **argv) {
    static double x[100];
    Kind kind = argc > 1 ? Kind::two : Kind::one;
    bool is_aware = false;
#if defined(MPIX_CUDA_AWARE_SUPPORT)
    is_aware = MPIX_Query_cuda_support() != 0;
#endif
    MPI_Init(&argc, &argv);
    MPI_Bcast(x, is_aware ? 1 : 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < (kind == Kind::one ? 40 : 80); i++)
        x[i] += i;
    MPI_Bcast(x, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
"""


def case_cxx20_and_the_header_of_extensions_are_read(session):
    """And the value of an enum class in a feature is a number."""
    session.write("app.cpp", MODERN)
    session.fine("capture", "--", "mpicxx", "-std=c++20", "app.cpp", "-o", "app")
    session.fine("generate", "-o", "app.skel")
    session.fine("verify", "app.skel", "-np", "2", "--no-real")
    session.prints("identical: 8 calls on 2 ranks")


def case_fortran_is_sent_to_record(session):
    session.write("tools/gfortran", "#!/bin/sh\nexit 0\n")
    os.chmod(session.path("tools/gfortran"), 0o755)
    session.write("main.f90", "end\n")
    environment = dict(ENVIRONMENT, PATH=session.path("tools") + ":" + ENVIRONMENT["PATH"])
    session.refused("capture", "--", "gfortran", "-c", "main.f90", environment=environment,
                    says=["1 Fortran file (main.f90)", "`mpiskel record` and `mpiskel synthesize`"])


PROGRAM = """#include <mpi.h>
#include <cstdlib>
#include <iostream>
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>
struct Plain { int n, m; void set(int k) { n = k; } };
struct Made { int n; Made(int k) : n(k) {} };
struct Left { int n; ~Left() { n = 0; } };
struct Given { int n = 3; };
struct Base { int n; };
struct Derived : Base { int m; };
struct Other { int k; };
struct Two : Base, Other { int m; };
struct Shared : virtual Base { int m; };
struct Late : Base { virtual int get() { return m; } int m = 1; };
struct Pool { int n = 1; void *operator new(std::size_t size) { return std::malloc(size); } };
struct Deep { int n; Deep(int k) : n(k) {} Deep(const Deep &other) : n(other.n + 1) {} };
struct Inherits : Made { using Made::Made; };
struct Assigned { int n = 0; Assigned &operator=(const Assigned &o) { n = o.n + 1; return *this; } };
struct HasAssigned { Assigned part; };
struct Deleter { virtual ~Deleter() {} };
struct Hidden : Deleter { Left left; };
template <class T> struct Wrapped { T t; Wrapped() : t() {} };
struct Virtual { int n; virtual int get() { return n; } };
bool operator<(const Plain &p, const Plain &q) { return p.n < q.n; }
bool less(int a, int b) { return a < b; }
struct Less { bool operator()(int a, int b) const { return a < b; } };
template <class T> T twice(T t) { return t + t; }
int count() { MPI_Barrier(MPI_COMM_WORLD); return 2; }
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
"""
# What stands at file scope, what stands in main, and what is said of the one that is not empty.
REFUSED = [
    ("", "std::vector<bool> bits(3); auto bit = bits[0]; a = bit;", "this object, whose class is none"),
    ("", "std::vector<Made> made;", "this object of the C++ library"),
    ("", "std::vector<int> list; a = list.get_allocator() == list.get_allocator();", "of the C++ library"),
    ("", "std::map<int, int, bool (*)(int, int)> m(less);", "of the C++ library"),
    ("", "std::map<Plain, int> m;", "this object of the C++ library"),
    ("", "std::sort(&plain, &plain + 1);", "this function of the C++ library"),
    ("", "std::sort(&a, &a + 1, Less());", "this function of the C++ library"),
    ("", "std::for_each(&a, &a + 1, [&](int e) { plain.set(e); });", "this lambda"),
    ("", "std::for_each(&a, &a + 1, [](int) { static int n; n++; });", "this lambda"),
    ("", "int *q = &a; std::for_each(&a, &a + 1, [&](int) { q++; });", "this lambda"),
    ("", "std::for_each(&a, &a + 1, [&z(a)](int e) { z += e; });", "this lambda"),
    ("", "std::for_each(&a, &a + 1, [&](int e) { if (e > 3) throw e; });", "this lambda"),
    ("", "std::for_each(&a, &a + 1, [&](int e) { a += std::rand() + e; });", "this lambda"),
    ("", "std::vector<std::vector<int>> l; l.emplace_back(3);", "this method of the C++ library"),
    ("", "std::vector<int> *p = new std::vector<int>[3]; a = p[0].size();", "this new"),
    ("", "static std::vector<int> once(3); a = (int)once.size();", "this initialiser, which is worked out"),
    ("", "Two two;", "this object, whose class is none of those that are followed"),
    ("", "Shared shared;", "this object, whose class is none of those that are followed"),
    ("", "Late late;", "this object, whose class is none of those that are followed"),
    ("", "Pool pool;", "this object, whose class is none of those that are followed"),
    ("", "Hidden hidden;", "this object, whose class is none of those that are followed"),
    ("", "Wrapped<int> wrapped;", "this object, whose class is none of those that are followed"),
    ("", "Inherits made(3);", "this constructor, which is the base's"),
    ("", "HasAssigned x, y; x = y;", "this assignment"),
    ("", "static Made once(3); a = once.n;", "this initialiser, which is worked out"),
    ("int by_value(Deep deep) { return deep.n; }", "", "this object, which is copied"),
    ("int by_value(Left left) { return left.n; }", "", "this object, which is copied"),
    ("Deep result(int k) { return Deep(k); }", "", "this object, which is copied"),
    ("", "Made *p = new Made[2]{3, 4}; a = p->n;", "this"),
    ("", "int *p = new (&a) int;", "this new"),
    ("template <class T> struct Box { T t; T get() { return t; } };", "Box<int> box = {3}; a = box.get();", "this"),
    ("", "a = std::gcd(a, b);", "this function of the C++ library"),
    ("", "std::cin >> a;", "this method of the C++ library"),
    ("", "try { a = 2; } catch (...) { b = 3; }", "this try"),
    ("", "auto f = [&](int n) { return n + a; }; a = f(2);", "this"),
    ("", "for (int n : {1, 2, 3}) a += n;", "this loop over a range"),
    ("", "if (int n = count()) a = n;", "this declaration in the head of a statement"),
    ("", "while (int n = a) a = n - 1;", "this declaration in the head of a statement"),
    ("", "(a > 1 ? a : b) = 3;", "this operation"),
    ("", "++ ++a;", "this operation"),
    ("", "int &r = a > 1 ? a : b; r = 3;", "what this reference is bound to"),
    ("", "const int &r = a > 1 ? a : b; a = r;", "what this reference is bound to"),
    ("", "const int &r = std::max(a, b); a = r;", "what this reference is bound to"),
    ("", "const int &r = (int &)a; a = r + 1;", "this cast"),
    ("", "(a > 1 ? plain : plain).set(3);", "this object"),
    ("int with(int n, int m = count()) { return n + m; }", "a = with(2);", "an argument that is left out"),
    ("", "auto [x, y] = plain; a = x + y;", "this declaration"),
    ("", "int Plain::*member = &Plain::n; a = plain.*member;", "this"),
    ("", "Two *d = nullptr; Base *p = d; a = p != nullptr;", "this conversion"),
    ("", "static int once = count(); a = once;", "this initialiser, which is worked out"),
    ("", "struct Local { int get() { return 3; } } local; a = local.get();", "this"),
    ("int early = count();", "", "this initialiser, which is worked out"),
    ("int taken(std::vector<Made> s) { return (int)s.size(); }", "", "this object, whose class is none of those that are followed"),
    ("int told(std::vector<Left> &v) { return v[0].n; }", "", "this method of the C++ library"),
    ("int got(Late &v) { return v.get(); }", "", "this call of a method"),
    ("std::ostream &operator<<(std::ostream &s, const Plain &p) { return s << p.n; }",
     "std::cout << plain;", "this output of an object"),
]


ROW = """%s
int row%d(int argc, char **argv) {
    int a = argc, b = 2;
    Plain plain = {1, 2};
    %s
    return a + b + plain.n + argv[0][0];
}
"""
AT_A_TIME = 4  # of one unit ten refusals are told


def write_rows(session, rows):
    """The lines of what is refused."""
    text, lines = PROGRAM, []
    for number, (outside, inside, _) in enumerate(rows):
        row = ROW % (outside, number, inside)
        lines.append((text + row[:row.rindex(inside if inside else outside)]).count("\n") + 1)
        text += row
    session.write("app.cpp", text)
    return lines


def case_what_is_on_no_list_is_refused_at_its_place(session):
    """The compiler takes all of it, here in one unit."""
    failures, build = [], ["mpicxx", "-std=c++17", "-c", "app.cpp"]
    write_rows(session, REFUSED)
    subprocess.run(build + ["-fsyntax-only"], cwd=session.directory, env=ENVIRONMENT, check=True)
    session.write("compile_commands.json", json.dumps(
        [{"directory": session.directory, "file": "app.cpp", "output": "app.o", "arguments": build}]))
    session.links(app=["app.c"])
    for first in range(0, len(REFUSED), AT_A_TIME):
        lines = write_rows(session, REFUSED[first:first + AT_A_TIME])
        session.refused("generate", "-o", "app.skel", says="`mpiskel record` and `mpiskel synthesize`")
        for line, row in zip(lines, REFUSED[first:first + AT_A_TIME]):
            if not any(told.startswith(f"app.cpp:{line}:") and row[2] in told and
                       "is C++ that cannot be read" in told for told in session.err.splitlines()):
                failures.append(f"{row}, line {line}: {session.err}")
    if failures:
        raise Failure("\n".join(failures))
