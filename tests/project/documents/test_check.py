#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does check.py find each kind of mistake, and nothing in good pages?

    test_check.py MPISKEL

Every case is a page of a small tree: its path, its text, and the words that have to be in the
complaint (none: there may be no complaint)."""
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "scripts"))
from check import Check  # noqa: E402
from markdown import read_page  # noqa: E402
from tool_help import Tool  # noqa: E402

TREE = {
    "CMakeLists.txt": "", "examples/heat3d/main.c": "", "examples/heat3d/stencil.c": "",
    "cli/main.c": "", "runtime/network/rank_clock.c": "", "runtime/parse/mpi.h": "",
    "README.md": "# mpiskel\n\nPredicts. Well.\n",
    "docs/how-to/sweep.md": "# Sweep\n\nOne. Two.\n\n## What `run --set` does\n\n"
                            "## Twice\n\n## Twice\n\n<a name=\"named\"></a>\n",
}
WORD = "word "
WORDS_120 = (WORD * 12 + "\n") * 10
HEAD = "# T\n\nWhat it is for. What the reader has.\n\n"
PAGE = "docs/how-to/page.md"

LINKS = [
    ("good links", PAGE, "[a](sweep.md) [b](sweep.md#what-run---set-does) [c](#t) [g][s]\n"
     "[d](sweep.md#twice-1) [e](../../examples/heat3d) [f](https://x.org/y#z) [h](sweep.md#named)\n"
     "\n[s]: sweep.md\n", None),
    ("links in code are none", PAGE, "`[a](no.md)`\n\n```text\n[a](no.md)\n```\n", None),
    ("no such file", PAGE, "a\n[b](no.md)\n", ":6: error: link no.md: there is no such file"),
    ("no such picture", PAGE, "![b](no.svg)", "link no.svg: there is no such file"),
    ("no such file of a reference", PAGE, "[a][b]\n\n[b]: no.md\n", ":7: error: link no.md"),
    ("no such reference", PAGE, "[a][b]", "a link to a reference that is not defined"),
    ("no such picture in HTML", PAGE, '<img src="no.svg">', "link no.svg"),
    ("no such anchor", PAGE, "[b](sweep.md#what-run-set-does)",
     "no heading with the anchor #what-run-set-does; it has #what-run---set-does"),
    ("no such anchor here", PAGE, "[b](#u)", "no heading with the anchor #u"),
    ("no third heading", PAGE, "[b](sweep.md#twice-2)", "the anchor #twice-2"),
    ("a paragraph is no anchor", PAGE, "u\n\n[b](#u)", "no heading with the anchor #u"),
    ("code has no anchors", PAGE, "```text\n<a name=\"u\">\n```\n[b](#u)\n", "the anchor #u"),
    ("anchor of a folder", PAGE, "[b](../../examples#x)", "only Markdown pages have anchors"),
    ("out of the tree", PAGE, "[b](../../../x.md)", "leaves the tree"),
    ("no such page in output", PAGE, "```text\ndocs/how-to/sweep.md docs/no.md\n```\n",
     ":6: error: docs/no.md: there is no such page"),
    ("absolute", PAGE, "[b](/docs/how-to/sweep.md)", "write it relative to this page"),
]
COMMANDS = [
    ("good commands", PAGE, "`mpiskel run heat3d.skel -np 4 --top=3 -- --own` `run --set A`\n"
     "`--vary` `mpiskel --version` `mpiskel COMMAND --help` `mpiskel` `mpiskel ...` `mpirun --o`\n"
     "```sh\nmpiskel capture -o x -- make --jobs\nmpiskel capture -o x make --jobs\ncd mpiskel\n"
     "mpiskel run a.skel | sort --key=1 # --comment\nX=1 mpiskel plan a.skel --run='m --x' \\\n"
     "    --target '--t'\nmpiskel scale a.skel -np 1..8:x2 --network ideal -j2\n```\n", None),
    ("output is not commands", PAGE, "```console\n$ mpiskel run x\nmpiskel no --no\n  mpiskel no\n"
     "```\n```text\n$ mpiskel no --no\n```\n", None),
    ("no such command", PAGE, "see\n`mpiskel runs x`\n", ":6: error: mpiskel has no command runs"),
    ("no such command in a heading", PAGE, "## `mpiskel runs`\n", "no command runs"),
    ("no such command in a cell", PAGE, "| a |\n|---|\n| `mpiskel runs` |\n", ":7: error"),
    ("no such option", PAGE, "`mpiskel run x --tops 3`", "mpiskel run has no option --tops"),
    ("no such option over two lines", PAGE, "`mpiskel run x\n--tops 3`", "no option --tops"),
    ("no such short option", PAGE, "`mpiskel run x -q 3`", "mpiskel run has no option -q"),
    ("no such option of the tool", PAGE, "`mpiskel --runs`", "mpiskel has no option --runs"),
    ("an option of another command", PAGE, "`mpiskel fit x --top 3`", "fit has no option --top"),
    ("no such option without mpiskel", PAGE, "`run --tops`", "mpiskel run has no option --tops"),
    ("no such option alone", PAGE, "`--tops=3`", "no command of mpiskel has an option --tops"),
    ("an option of others", PAGE, "<!-- options of others: --tops -->\n\n`--tops`\n", None),
    ("sh", PAGE, "```sh\nmake\nmpiskel run x \\\n  --tops\n```\n", ":7: error: mpiskel run has"),
    ("sh behind others", PAGE, "```sh\na --b && mpiskel run x --tops\n```\n", "no option --tops"),
    ("in brackets", PAGE, "```sh\nx=$(mpiskel run x --tops)\n```\n", "no option --tops"),
    ("console", PAGE, "```console\n$ mpiskel run x\n5\n$ mpiskel run x \\\n> --tops\n```\n",
     ":8: error: mpiskel run has no option --tops"),
    ("before a command of others", PAGE, "`mpiskel capture --tops make`", "no option --tops"),
]
LENGTHS = [
    ("120 words", PAGE, WORDS_120 + "\n- " + WORDS_120 + "- " + WORDS_120, None),
    ("a paragraph", PAGE, "a\n\n" + (WORD * 11 + "\n") * 11, ":7: error: paragraph of 121 words"),
    ("a paragraph in README", "README.md", (WORD * 11 + "\n") * 11, "paragraph of 121 words"),
    ("a list item", PAGE, "- a\n- " + (WORD * 11 + "\n  ") * 11, ":6: error: list item of 121"),
    ("a quote", PAGE, ("> " + WORD * 11 + "\n") * 11, "paragraph of 121 words"),
    ("a table's cell", PAGE, "| a |\n|---|\n| " + WORD * 121 + "|\n", ":7: error: table cell of"),
    ("code and comments are no prose", PAGE, "<!-- " + WORD * 200 + "-->\n\n```text\n" + WORD * 200
     + "\n```\n", None),
    ("a long line", PAGE, "x" * 80 + " " + "x" * 80 + "\n", ":5: error: line of 161 characters"),
    ("long links and rows", PAGE, "[a](https://" + "x" * 200 + ") b\n\n| a |\n|---|\n| " + "a " * 90
     + "|\n", None),
    ("README of 170 lines", "README.md", "# T\n" + "\n" * 169, None),
    ("other pages may be longer", PAGE, "\n" * 170, None),
    ("README of 171 lines", "README.md", "# T\n" + "\n" * 170, "README has 171 lines"),
]
BEGINNINGS = [
    ("no title", PAGE, "Text.\n", ":1: error: the page does not begin with its title"),
    ("a small title", PAGE, "## T\n\nText.\n", "does not begin with its title"),
    ("no paragraph", PAGE, "# T\n\n- a\n", ":1: error: no paragraph behind the title"),
    ("three sentences", PAGE, "# T\n\nOne. Two, e.g. `a. B`, that is\nall.  Three (it is)! \n",
     ":3: error: the first paragraph has 3 sentences"),
    ("two sentences", PAGE, "<!-- c -->\n# T\n\nIt, e.g. `a. B. C`, i.e. 3.5 s vs. v1.2. Two.\n",
     None),
    ("README is free", "README.md", "One. Two. Three.\n", None),
]
WORDS = [
    ("an ISO date", PAGE, "since 2025-11-25.", ":5: error: date 2025-11-25"),
    ("a month", PAGE, "measured in March 2025", "date March 2025"),
    ("a day", PAGE, "on 3 March 2025", "date 3 March 2025"),
    ("a date in a command", PAGE, "```sh\nx 2025-11-25\n```\n", "date 2025-11-25"),
    ("dates in output", PAGE, "```console\n$ x\n2025-11-25\n```\n", None),
    ("a commit", PAGE, "since 1a2b3c4", "1a2b3c4 looks like a commit"),
    ("numbers are no commits", PAGE, "1234567 1e10 12345e12 defaced", None),
    ("results have dates", "docs/results/a.md", "2025-11-25 1a2b3c4 rank_clock.c", None),
    ("a source", PAGE, "as `rank_clock.c` does", "rank_clock.c is a source file of mpiskel"),
    ("a source in its folder", PAGE, "as cli/main.c does", "cli/main.c is a source file"),
    ("a source in README", "README.md", "as rank_clock.c does", "rank_clock.c is a source"),
    ("examples' names", PAGE, "`stencil.c:3` `main.c` `mpi.h` `yours.c` `a_rank_clock.c`", None),
    ("sources in output", PAGE, "```console\n$ x\nrank_clock.c\n```\n", None),
    ("sources in a command", PAGE, "```console\n$ x rank_clock.c\n```\n", "is a source file"),
    ("explanations name sources", "docs/explanation/a.md", "rank_clock.c", None),
    ("CONTRIBUTING names sources", "CONTRIBUTING.md", "rank_clock.c", None),
    ("explanations have no dates", "docs/explanation/a.md", "2025-11-25", "date"),
    ("a path of this machine", PAGE, "```text\n{tree}/x\n```\n", ":6: error: {tree} is a path of"),
    ("the home", PAGE, "see {home}/x", "{home} is a path of this machine"),
    ("no language", PAGE, "```\na\n```\n", ":6: error: code without a language"),
    ("no fence", PAGE, "a\n\n    make\n", ":7: error: code without a language"),
    ("a prompt in sh", PAGE, "```sh\n$ make\n```\n", ":6: error: a prompt in a block of commands"),
]


class Cases:
    def __init__(self, mpiskel):
        self.mpiskel = mpiskel
        self.tool = Tool(mpiskel)
        self.failures = 0

    def fail(self, name, text):
        print(f"{name}: {text}")
        self.failures += 1

    def run(self, table, head):
        for name, path, text, words in table:
            with tempfile.TemporaryDirectory() as folder:
                tree = pathlib.Path(folder).resolve() / "tree"
                fill = {"{tree}": str(tree), "{home}": str(pathlib.Path.home())}
                make_tree(tree, {path: filled(head + text, fill)})
                self.judge(name, self.complaints(tree, path), words and filled(words, fill))

    def complaints(self, tree, path):
        found = Check(tree, self.tool).complaints(read_page(tree / path, path))
        return "".join(f"{path}:{line}: error: {text}\n" for line, text in found)

    def judge(self, name, complaints, words):
        if words is None and complaints:
            self.fail(name, f"expected no complaint, not {complaints}")
        elif words is not None and words not in complaints:
            self.fail(name, f"expected '{words}' in: {complaints or 'no complaint'}")

    def exit_codes(self):
        """All pages are read, and the exit code tells."""
        for files, code, words in (({}, 0, "2 pages, 0 complaints"),
                                   ({"docs/a/b/c.md": "x"}, 1, "docs/a/b/c.md:1: error:"),
                                   ({"CONTRIBUTING.md": "[a](b)"}, 1, "CONTRIBUTING.md:1: error:")):
            with tempfile.TemporaryDirectory() as tree:
                make_tree(pathlib.Path(tree), files)
                run = subprocess.run([sys.executable, HERE / "check.py", "--mpiskel", self.mpiskel,
                                      tree], capture_output=True, text=True, check=False)
                if run.returncode != code or words not in run.stdout:
                    self.fail(f"check.py of {files}", f"expected {code} and '{words}', not "
                              f"{run.returncode} and {run.stdout + run.stderr}")


def filled(text, fill):
    for name, value in fill.items():
        text = text.replace(name, value)
    return text


def make_tree(tree, files):
    for name, text in {**TREE, **files}.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text, encoding="utf-8")


def main():
    cases = Cases(sys.argv[1])
    for table in (LINKS, COMMANDS, LENGTHS, WORDS):
        cases.run([case for case in table if case[1].startswith("docs/")], HEAD)
        cases.run([case for case in table if not case[1].startswith("docs/")], "")
    cases.run(BEGINNINGS, "")
    cases.exit_codes()
    print(f"{cases.failures} failures")
    sys.exit(1 if cases.failures else 0)


if __name__ == "__main__":
    main()
