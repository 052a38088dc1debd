# SPDX-License-Identifier: Apache-2.0
"""Mistakes in who calls whom, in what is defined twice, and in circles of files."""
from circles import LARGEST
from sample import case


@case("calls")
def calls_downwards(sample):
    pass


@case("calls", "base/b.c: error: base may not use m of model/m.c")
def a_call_upwards_that_no_include_shows(sample):
    sample.add("base/b.c", "int m(void);\nint b(void);\nint b(void) { return m(); }\n")


@case("calls", "base/b.c: error: base may not use level of model/v.c")
def a_variable_of_a_folder_above(sample):
    sample.add("model/v.c", "int level = 1;\n")
    sample.add("base/b.c", "extern int level;\nint b(void);\nint b(void) { return level; }\n")


@case("calls", "base/b.c: error: base may not use made of model/made.c")
def a_source_that_the_build_wrote(sample):
    sample.add("build/model/made.c", "int made(void);\nint made(void) { return 1; }\n")
    sample.add("base/b.c", "int made(void);\nint b(void);\nint b(void) { return made(); }\n")


@case("calls", "base/a.c: error: a is defined in model/twice.c as well (the tool)")
def a_symbol_that_is_defined_twice(sample):
    sample.add("model/twice.c", "int a(void);\nint a(void) { return 2; }\n")


@case("calls")
def a_static_function_of_the_same_name(sample):
    sample.add("model/twice.c", "static int a(void) { return 2; }\nint twice(void);\nint twice(void) { return a(); }\n")


@case("calls")
def two_programs_with_a_main(sample):
    sample.add("cli/other.c", "int main(void) { return 0; }\n")


RUNTIME = "\nruntime/shared:\nruntime/one: runtime/shared\nruntime/two: runtime/shared\n"


@case("calls", "runtime/one/p.c: error: r is defined in runtime/one/q.c as well (one)")
def a_symbol_that_a_runtime_library_defines_twice(sample):
    sample.add("layers.txt", RUNTIME)
    for name in "pq":
        sample.add(f"runtime/one/{name}.c", "int r(void);\nint r(void) { return 1; }\n")


@case("calls")
def runtime_libraries_that_each_define_what_they_share_calls(sample):
    sample.add("layers.txt", RUNTIME)
    sample.add("runtime/shared/s.c", "int r(void);\nint s(void);\nint s(void) { return r(); }\n")
    for name in ("one", "two"):
        sample.add(f"runtime/{name}/{name}.c", "int r(void);\nint r(void) { return 1; }\n")


@case("calls", "runtime/shared/s.c: error: runtime/shared may not use r of runtime/one/p.c")
def a_call_upwards_in_a_runtime_library(sample):
    sample.add("layers.txt", RUNTIME)
    sample.add("runtime/shared/s.c", "int r(void);\nint s(void);\nint s(void) { return r(); }\n")
    sample.add("runtime/one/p.c", "int r(void);\nint r(void) { return 1; }\n")


@case("calls", "runtime/two/p.c: error: runtime/two may not use a of base/a.c")
def a_runtime_that_calls_the_tool(sample):
    sample.add("layers.txt", RUNTIME)
    sample.add("runtime/two/p.c", "int a(void);\nint p(void);\nint p(void) { return a(); }\n")


@case("calls", "model/m.c: error:")
def an_object_that_is_not_built(sample):
    sample.unbuilt.add("model/m.c")


@case("calls", "compile_commands.json: error: no source of the tree is compiled")
def a_build_of_nothing(sample):
    for path in [path for path in sample.files if path.endswith(".c")]:
        del sample.files[path]


def ring(sample, count):
    for i in range(count):
        sample.add(f"base/r{i}.h", f'#include "base/r{(i + 1) % count}.h"\n')


@case("circles")
def a_circle_that_is_large_enough(sample):
    ring(sample, LARGEST)


@case("circles", f"base/r0: error: in a circle of {LARGEST + 1} files, at most {LARGEST} may be: base/r0 base/r1 ")
def a_circle_that_is_too_large(sample):
    ring(sample, LARGEST + 1)


@case("circles", "base/b: error: in a circle across base and model: base/b model/m")
def a_circle_across_folders(sample):
    sample.add("base/b.c", "int m(void);\nint b(void);\nint b(void) { return m(); }\n")
    sample.add("base/b.h", "\n")
    sample.add("model/m.c", '#include "base/b.h"\n')
