# SPDX-License-Identifier: Apache-2.0
"""Mistakes in layers.txt and in #include lines."""
from sample import case


@case("includes")
def a_good_tree(sample):
    pass


@case("includes", "base/a.h:3: error: base may not include model/m.h")
def an_include_upwards(sample):
    sample.add("base/a.h", '#include "model/m.h"\n')


@case("includes", "cli/c.c:4: error: cli may not include model/fit.h")
def a_header_beside_the_allowed_folder(sample):
    sample.add("cli/c.c", '#include "model/fit.h"\n')


@case("includes", "model/m.c:4: error: model may not include model/eval/eval.h")
def a_sub_folder_that_is_not_allowed(sample):
    sample.add("model/m.c", '#include "model/eval/eval.h"\n')


@case("includes", "base/a.h:3: error: base may not include model/m.h")
def an_include_by_the_way_up(sample):
    sample.add("model/m.h", "\n")
    sample.add("base/a.h", '#include "../model/m.h"\n')


@case("includes", "model/eval/calls.def:1: error: model/eval may not include base/a.h")
def an_include_in_a_table(sample):
    sample.add("model/eval/calls.def", '#include "base/a.h"\n')


@case("includes")
def a_header_of_the_own_folder_without_its_name(sample):
    sample.add("model/eval/more.c", '#include "eval.h"\n')


@case("includes", "cli/c.c:4: error: sqlite3.h may be included in model/store/store.c only")
def a_foreign_library_outside_its_wrapper(sample):
    sample.add("cli/c.c", "#  include <sqlite3.h>\n")


@case("includes")
def foreign_libraries_in_their_wrappers(sample):
    sample.add("layers.txt", "simulator/network:\nmodel/solve:\n")
    sample.add("simulator/network/hosts.c", "#include <expat.h>\n")
    sample.add("model/solve/nnls.c", "#include <gsl/gsl_math.h>\n")


@case("includes", "simulator/other.c:1: error: expat.h may be included in simulator/network/hosts.c and ")
def a_wrapper_s_neighbour(sample):
    sample.add("layers.txt", "simulator:\n")
    sample.add("simulator/other.c", "#include <expat.h>\n")


@case("includes", "model/m.c:4: error: uthash.h may be included in base/hash_table.c only")
def a_library_of_macros_beside_its_wrapper(sample):
    sample.add("base/hash_table.c", "#include <uthash.h>\n")
    sample.add("model/m.c", "#include <uthash.h>\n")


@case("includes", "layers.txt:1: error: base may include cli, which is not above")
def a_circle_in_layers(sample):
    sample.files["layers.txt"] = "base: cli\ncli: base\n"


@case("includes", "layers.txt:6: error: base is listed twice")
def a_folder_that_is_listed_twice(sample):
    sample.add("layers.txt", "base: model\n")


@case("includes", "layers.txt:6: error: not of the form")
def a_line_that_is_none(sample):
    sample.add("layers.txt", "simulator base\n")


@case("includes", "extra: error: has C source")
def a_folder_that_is_not_listed(sample):
    sample.add("extra/e.c", "int x;\n")


@case("includes", "model/extra: error: has C source")
def a_sub_folder_that_is_not_listed(sample):
    sample.add("model/extra/e.c", "int x;\n")


@case("includes", "layers.txt: error: simulator has no C source")
def a_folder_without_source(sample):
    sample.add("layers.txt", "simulator: base\n")


@case("includes", "layers.txt: error: there is no C source")
def a_tree_without_source(sample):
    sample.files = {"layers.txt": ""}
