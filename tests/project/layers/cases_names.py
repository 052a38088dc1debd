# SPDX-License-Identifier: Apache-2.0
"""Mistakes in names and sizes."""
from names import MOST_FILES, MOST_LINES
from sample import case


@case("names")
def good_names(sample):
    pass


@case("names", "base/b.h:2: error: struct x is defined in cli/x.h as well")
def a_struct_that_is_two_things(sample):
    sample.add("base/b.h", "\nstruct x {\n};\n")


@case("names", "base/b.h:1: error: enum kind is defined in base/c.c as well")
def an_enum_that_is_two_things(sample):
    sample.add("base/b.h", "enum kind { B };\n")
    sample.add("base/c.c", "static enum kind {\n    C\n} kind;\n")


@case("names", "base/b.h:1: error: union x is defined in cli/x.h as well")
def a_union_with_the_tag_of_a_struct(sample):
    sample.add("base/b.h", "union x {\n    int y;\n};\n")


@case("names")
def a_struct_that_is_only_named(sample):
    sample.add("base/b.h", "struct x;\n/* struct x { } */\nstruct x *b(const char *text); // struct x {\n")


@case("names", "base/x: error: there is cli/x as well")
def a_file_name_that_is_two_things(sample):
    sample.add("base/x.c", "\n")


@case("names")
def as_many_files_as_may_be(sample):
    for i in range(MOST_FILES - 2):
        sample.add(f"base/f{i}.h", "\n")


@case("names", f"base: error: holds {MOST_FILES + 1} sources")
def a_folder_that_is_too_large(sample):
    for i in range(MOST_FILES - 1):
        sample.add(f"base/f{i}.h", "\n")


@case("names")
def a_file_as_long_as_may_be(sample):
    sample.add("base/b.h", "\n" * MOST_LINES)


@case("names", f"base/b.h: error: has {MOST_LINES + 1} lines")
def a_file_that_is_too_long(sample):
    sample.add("base/b.h", "\n" * (MOST_LINES + 1))


@case("names", "model/eval: error: has no README.md")
def a_folder_without_readme(sample):
    sample.options.append("--readmes")
    for folder in ("base", "model", "cli", "runtime"):
        sample.add(f"{folder}/README.md", "\n")


def add_readmes(sample, **others):
    """Each names all files; others: folder=text, with _ for /."""
    sample.options.append("--readmes")
    for folder in ("base", "model", "model/eval", "cli", "runtime"):
        sample.add(f"{folder}/README.md", others.get(folder.replace("/", "_"), "`NAME`\n"))


@case("names")
def folders_with_readme(sample):
    add_readmes(sample)


@case("names", "base/README.md: error: does not say what a is")
def a_readme_without_a_file(sample):
    sample.add("base/a.c", "")
    sample.add("base/b_one.h", "")
    add_readmes(sample, base="| `b_*` | |\n")


@case("names", "base/README.md: error: lists gone.c, which is not there")
def a_readme_with_a_file_that_went(sample):
    add_readmes(sample, base="`NAME`\n\n| file | |\n| --- | --- |\n| `gone.c` | |\n")
