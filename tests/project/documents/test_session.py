#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does session.py find what differs, leave alone what agrees, and bless what is printed?

    test_session.py

Pages are executed in a small tree with a mpiskel that only echoes. Cases are tables: lines that
agree or not; pages with the words that have to be in the complaint; pages before and after
BLESS=1."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import shape  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
PAGE = "docs/tutorial/page.md"
NAME = "tutorial_page"
TWO_STREAMS = 'int puts(), write(); int main() { puts("a"); write(2, "b\\n", 2); puts("c"); }'
EMPTY = "<!-- session: empty -->\n"

REGIONS = "examples/heat3d/h.skel/regions.json"
FIT = "region  place    share    error  points  seconds"
ROWS = f"{FIT}\n     2  main.c:48  78.4%  8.9%  9  2.4e-09*n3\n...\nerror: 8.2%"

AGREE = [
    ("95 % interval 1 to 2 s, from the models' errors ...",
     "no 95 % interval: nothing is known of the error of 70 % of the computation"),
    ("95 % interval 1 to 2 s, from the models' errors",
     "95 % interval 1 to 3 s, from the models' errors; extrapolated by 2x"),
    ("ran 3 runs", "ran  1,024 runs "), ("1.5e-09*n3", "2e+10*n7"), ("-3 %", "+12.5 %"),
    ("a 16..96 b", "a 1..2 b"), ("took 3 ms", "took 2.5 s"), ("4 KiB", "7.25 B"),
    ("12 GB/s", "900 MB/s"), ("id 9403fd8e", "id abcdef12"), ("-----", "--------"),
    ("a ...", "a"), ("a ...", "a b c"), ("x = ...: y", "x = f(1, 2): y"), ("", "  "),
]
DIFFER = [
    ("ran 3 runs", "ran 1 run"), ("a", "A"), ("a b", "ab"), ("3", "three"), ("3 s", "3 B"),
    ("a", "a b"), ("a ...", "b a"), ("x = ...: y", "x = f(1, 2): z"), ("", "a"), ("a.c", "abc"),
    ("1 2", "1"),
]
LISTS = [                     # expected, actual, agree?, blessed
    ("", "", True, ""),
    ("a\nb 1", "a\nb 2", True, "a\nb 2"),
    ("a\n...\nz", "a\nz", True, "a\n...\nz"),
    ("a\n...\nz", "a\nb\nc\nz", True, "a\n...\nz"),
    ("...\nz", "a\nz\nb\nz", True, "...\nz"),
    ("...", "", True, "..."),
    ("a\n...\nz", "a\nb\ny", False, "a\n...\ny"),
    ("a\n...\nz", "b\nc\nz", False, "b\n...\nz"),
    ("a\n...\nc\n...", "a\nc", True, "a\n...\nc\n..."),
    ("a\n...\nx", "a\nb", False, "a\nb"),
    ("a\nb\nc", "a\nc", False, "a\nc"),
    ("a\nc", "a\nb\nc", False, "a\nb\nc"),
    ("a x ...", "a x y", True, "a x ..."),
    ("a x ...", "b", False, "b"),
    ("", "a\nb", False, "a\nb"),
]


def console(text):
    return f"\n```console\n{text}\n```\n"


HEAT3D = "<!-- session: examples/heat3d -->\n"


def rows_printed(*rows, header=FIT):
    """A page that shows ROWS of a command that prints other rows."""
    lines = "\n".join(f"> {line}" for line in (header, *rows, "error: 8.2%", "END"))
    return console(f"$ cat <<'END'\n{lines}\n{ROWS}")


PAGES = [
    ("a warning that times decide on", EMPTY + console(
        "$ echo a; echo; echo 'warning: a.c:1 f, 25 % of the time, is predicted with an error of 53 %; profile'; echo b\na\n\nb"),
     None),
    ("a warning that did not come this time", EMPTY + console(
        "$ echo a\na\nwarning: ranks compute 30.2 us between two MPI calls: costs of calls decide; calibrate"), None),
    ("an interval of which a part is a guess", EMPTY + console(
        "$ echo a; echo 'main.c:46 n1 (trips) was 3 in all profiling runs and is 9 here: what it costs is a guess'\na"), None),
    ("rows of measured times", HEAT3D + rows_printed(
        "    12  domain.c:55  60%  12  9  (4e-09*n1) * step(n2)", "        and 9 regions with 40% of the time"), None),
    ("a row of a place that the program lacks", HEAT3D + rows_printed("").replace("main.c:48", "main.c:47"),
     "no bundle of the session has main.c:47"),
    ("another header of measured times", HEAT3D + rows_printed("", header=FIT + " and more"), "- region"),
    ("a value among them", HEAT3D + rows_printed("").replace("main.c:48 ", "main.c:48  value "), "-      2  main.c:48  value"),
    ("refused on a busy machine", EMPTY + "<!-- refused: busy: echo b > f -->\n"
     + console("$ echo too busy; false\na\n$ cat f\nb"), None),
    ("refused for another reason", EMPTY + "<!-- refused: busy: echo b > f -->\n"
     + console("$ echo why; false\na"), "exits with 1, not 0"),
    ("refused once only", EMPTY + "<!-- refused: busy: true -->\n"
     + console("$ true\n$ echo busy; false\nbusy"), "exits with 1, not 0"),
    ("another warning", EMPTY + console("$ echo a; echo 'warning: something is wrong'\na"), "1 complaints"),                     # name, page, words of the complaint or None
    ("good", EMPTY + console("$ echo 5 runs\n7 runs"), None),
    ("no output", EMPTY + console("$ true"), None),
    ("both streams, in order", EMPTY + console(
        "$ for i in a b; do echo $i; ls $i; done\na\nls: ...\nb\nls: ...\n[exit 2]"), None),
    ("programs write line by line", EMPTY
     + f"<!-- setup: echo '{TWO_STREAMS}' > a.c; cc a.c -->\n"
     + console("$ ./a.out\na\nb\nc"), None),
    ("one bash", EMPTY + console("$ x=y; cd /; f() { echo $x; }") + console("$ f; pwd\ny\n/"),
     None),
    ("output without an end of line", EMPTY + console("$ printf a\na\n$ echo b\nb"), None),
    ("much output", EMPTY + console("$ seq 100000\n1\n...\n100000"), None),
    ("a command of two lines", EMPTY + console("$ echo a \\\n> b\na b"), None),
    ("a here-document", EMPTY + console("$ cat <<'END'\n> a\n> b\n> END\na\nb"), None),
    ("in a list", EMPTY + "- a\n  ```console\n  $ printf '%s\\n' a ' b'\n  a\n   b\n  ```\n", None),
    ("an example, what git ignores apart", "<!-- session: examples/heat3d -->\n" + console(
        "$ pwd; ls\n/home/you/heat3d\nh.skel\nmain.c\nsub"), None),
    ("nothing is read from stdin", EMPTY + console("$ cat\n$ echo a\na"), None),
    ("paths are replaced", EMPTY + console("$ pwd; command -v mpiskel; echo $TREE\n/home/you\n"
                                           "/usr/local/bin/mpiskel\n/home/you/mpiskel"), None),
    ("the environment is that of a user", EMPTY + console("$ echo $BSIM_X $HOME $BLESS.\n"
                                                          "/home/you ."), None),
    ("progress lines are what is left", EMPTY + console("$ printf '1 %%\\r\\033[Kdone\\n'\ndone"),
     None),
    ("setup", EMPTY + "<!-- setup: echo a; echo b > f -->\n" + console("$ cat f\nb"), None),
    ("setup of lines", EMPTY + "<!-- setup:\necho b > f\necho c >> f\n-->\n"
     + console("$ cat f\nb\nc"), None),
    ("other blocks are not executed", "```sh\nfalse\n```\n", "no console blocks"),
    ("another line", EMPTY + console("$ echo a; echo b\na\nc"),
     ":4: error: `echo a; echo b` prints something else (- page, + printed)"),
    ("the difference is shown", EMPTY + console("$ echo a; echo b\na\nc"),
     "\n      a\n    - c\n    + b\n"),
    ("too much output", EMPTY + console("$ echo a; echo b\na"), "    + b\n"),
    ("too little output", EMPTY + console("$ echo a\na\nb"), "    - b\n"),
    ("the command that differs", EMPTY + console("$ echo a\na\n$ echo b\nc"),
     ":6: error: `echo b`"),
    ("all that differ", EMPTY + console("$ echo a\n$ echo b\nc"), ":5: error: `echo b`"),
    ("an exit code", EMPTY + console("$ echo a; false\na"), "exits with 1, not 0: correct it"),
    ("its output is shown", EMPTY + console("$ echo why; false"), "    | why\n"),
    ("another exit code", EMPTY + console("$ (exit 3)\n[exit 2]"), "exits with 3, not 2"),
    ("no exit code", EMPTY + console("$ true\n[exit 2]"), "exits with 0, not 2"),
    ("setup fails", EMPTY + "<!-- setup: echo why; false -->\n" + console("$ true"),
     ":2: error: the setup `echo why; false` exits with 1: correct it\n    | why\n"),
    ("a syntax error", EMPTY + console("$ if"), "syntax error"),
    ("bash ends", EMPTY + console("$ echo a; exit 3\n$ true"),
     ":4: error: `echo a; exit 3` did not come back: it ended the session's bash\n    | a\n"),
    ("endless", EMPTY + console("$ echo a; sleep 100"), "the time of the session is up\n    | a\n"),
    ("no beginning", console("$ true"), "no session comment before this console block"),
    ("a late beginning", console("$ true") + EMPTY, "no session comment before"),
    ("no such example", "<!-- session: examples/no -->\n" + console("$ true"),
     "the session begins in examples/no, which the tree does not have"),
    ("outside the tree", "<!-- session: ../.. -->\n" + console("$ true"), "the tree does not have"),
    ("no command", EMPTY + console("output"), ":4: error: output without a command"),
    ("a command without its end", EMPTY + console("$ echo \\\na"), "the command goes on: write"),
]
BLESSED = [                   # page before, page after
    (EMPTY + console("$ echo 5\n4\n$ true") + "text\n" + console("$ seq 3; false\n1\n...\n9"),
     EMPTY + console("$ echo 5\n5\n$ true") + "text\n"
     + console("$ seq 3; false\n1\n...\n3\n[exit 1]")),
    (EMPTY + console("$ seq 2"), EMPTY + console("$ seq 2\n1\n2")),
    (EMPTY + console("$ echo a\nb\n[exit 2]\n$ true\nx"), EMPTY + console("$ echo a\na\n$ true")),
    (EMPTY + "- a\n  ```console\n  $ printf ' a\\n\\nb\\n'\n  ```\n",
     EMPTY + "- a\n  ```console\n  $ printf ' a\\n\\nb\\n'\n   a\n\n  b\n  ```\n"),
    (EMPTY + console("$ echo a\na\n\n$ echo b\nb"), EMPTY + console("$ echo a\na\n\n$ echo b\nb")),
    (EMPTY + console("$ seq 2") + "<!-- setup: false -->\n",
     EMPTY + console("$ seq 2") + "<!-- setup: false -->\n"),
]


class Cases:
    def __init__(self, folder):
        self.tree = pathlib.Path(folder).resolve() / "tree"
        self.work = self.tree.parent / "work"
        self.mpiskel = self.tree.parent / "prefix/bin/mpiskel"
        self.failures = 0
        for name, text in (("tree/CMakeLists.txt", ""), ("tree/.gitignore", "*.o\n"),
                           ("tree/examples/heat3d/main.c", ""), ("tree/examples/heat3d/a.o", ""),
                           ("tree/examples/heat3d/sub/b.c", ""),
                           ("tree/" + REGIONS, '{"regions": [{"file": "main.c", "line": 48}]}'),
                           ("tree/" + PAGE, ""),
                           ("prefix/bin/mpiskel", "#!/bin/sh\necho \"$@\"\n")):
            (self.tree.parent / name).parent.mkdir(parents=True, exist_ok=True)
            (self.tree.parent / name).write_text(text, encoding="utf-8")
        self.mpiskel.chmod(0o755)
        subprocess.run(["git", "init", "-q", str(self.tree)], check=True)

    def fail(self, name, text):
        print(f"{name}: {text}")
        self.failures += 1

    def session(self, page, *options, **environment):
        (self.tree / PAGE).write_text(page, encoding="utf-8")
        options = options or ("--work", self.work, "--timeout", "120")
        return subprocess.run(
            [sys.executable, HERE / "session.py", "--mpiskel", self.mpiskel, *options,
             self.tree / PAGE], capture_output=True, text=True, check=False, input="typed",
            env={**os.environ, "BLESS": "", "BSIM_X": "x", "TREE": str(self.tree), **environment})

    def lines(self):
        for table, wanted in ((AGREE, True), (DIFFER, False)):
            for expected, actual in table:
                if shape.agrees(expected, actual) != wanted:
                    self.fail(f"'{expected}' and '{actual}'", f"agree should be {wanted}")
        for expected, actual, agree, blessed in LISTS:
            pairs = shape.align(*(text.split("\n") if text else [] for text in (expected, actual)))
            found = (not shape.differs(pairs), "\n".join(shape.blessed(pairs)))
            if found != (agree, blessed):
                self.fail(f"{expected!r} and {actual!r}", f"{(agree, blessed)}, not {found}")

    def pages(self):
        for name, page, words in PAGES:
            run = self.session(page, "--work", self.work, "--timeout", "3" if name == "endless" else "120")
            good = words in (None, "no console blocks")
            if run.returncode != (0 if good else 1) or (words or "0 complaints") not in run.stdout:
                self.fail(name, f"expected {words!r}, not code {run.returncode} and\n"
                          f"{run.stdout}{run.stderr}")
            if good and (self.work / NAME).exists():
                self.fail(name, "the session's directory is left")

    def blessings(self):
        for before, after in BLESSED:
            self.session(before, BLESS="1")
            found = (self.tree / PAGE).read_text(encoding="utf-8")
            if found != after:
                self.fail("blessed", f"expected\n{after}\nnot\n{found}")

    def left_behind(self):
        """A failed session leaves its files where it was told to put them, and only there."""
        self.session(EMPTY + console("$ echo a > f; false"))
        if not (self.work / NAME / "f").exists():
            self.fail("failed", "the session's files are gone")
        run = self.session(EMPTY + console("$ echo a > f; pwd; false"), "--timeout", "120",
                           TMPDIR=str(self.tree.parent / "prefix"))
        if list((self.tree.parent / "prefix").iterdir()) != [self.mpiskel.parent]:
            self.fail("failed without --work", f"files are left\n{run.stdout}{run.stderr}")

    def processes(self):
        """No session leaves processes, not even such as ignore SIGTERM or have a session."""
        sleep = f"sleep 1000.{os.getpid()}"    # that no other test has
        begin = time.monotonic()
        run = self.session(EMPTY + console(
            f"$ (trap '' TERM; setsid {sleep} & echo $! > /dev/fd/1)\n5\n"
            f"$ {sleep} & echo $!\n5\n$ echo b\nb"), "--timeout", "600")
        if run.returncode:
            self.fail("processes", run.stdout + run.stderr)
        if time.monotonic() - begin > 300:
            self.fail("processes", "were waited for")
        left = [line for line in subprocess.run(["ps", "-eo", "pid,ppid,args"], text=True,
                                                capture_output=True, check=True).stdout.split("\n")
                if line.endswith(sleep)]
        if left:
            self.fail("processes", f"are left: {left}")


    def without_git(self):
        """An example is copied whole where git does not know it."""
        shutil.rmtree(self.tree / ".git")
        run = self.session("<!-- session: examples/heat3d -->\n"
                           + console("$ ls\na.o\nh.skel\nmain.c\nsub"))
        if run.returncode:
            self.fail("without git", run.stdout + run.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        cases = Cases(folder)
        cases.lines()
        cases.pages()
        cases.blessings()
        cases.left_behind()
        cases.processes()
        cases.without_git()
    print(f"{cases.failures} failures")
    sys.exit(1 if cases.failures else 0)


if __name__ == "__main__":
    main()
