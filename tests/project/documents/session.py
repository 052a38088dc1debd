#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executes the console blocks of a page and compares their output in shape (shape.py).

    session.py --mpiskel BIN [--work DIR] [--keep] PAGE.md...

All `console` blocks of a page are one session: one bash, in order, in a fresh directory. A line
`$ COMMAND` is a command (a `\\` at its end, or a here-document, goes on in lines `> ...`); the
lines up to the next are its output, stdout and stderr together; `[exit N]` behind the last says
that it exits with N instead of 0. What agrees is told in shape.py: numbers are any numbers, a line
`...` is any lines, `...` in a line anything there. Comments of the page say the rest:

    <!-- session: examples/heat3d -->   begin in a copy of that folder of the tree
    <!-- session: empty -->             begin in an empty directory
    <!-- setup: COMMAND -->             execute this here; its output is not shown, it has to exit
                                        with 0
    <!-- refused: TEXT: COMMAND -->     where the next command fails and prints TEXT, since others
                                        keep the machine busy, execute this in its place

In outputs the session's directory is /home/you, the tool's prefix /usr/local and the source tree
/home/you/mpiskel. With BLESS=1 in the environment the blocks are made anew of what is printed.
Exit code: 0 all outputs agree, 1 not."""
import argparse
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True    # nothing is left in the source tree
import shape  # noqa: E402
from markdown import read_page  # noqa: E402
from shell import Shell, ShellEnded  # noqa: E402

EXIT_LINE = re.compile(r"^\[exit (\d+)\]\s*$")
HERE_DOCUMENT = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")
PLACE = re.compile(r"\b(MPI_[A-Z]\w+|[\w/-]+\.c:\d+\b(?! MPI_))")
NOT_INHERITED = re.compile(r"^(BSIM_|MPISKEL_|MAKE|MFLAGS$|CFLAGS$|LDFLAGS$|CC$|CDPATH$|BASH_ENV$"
                           r"|ENV$|OLDPWD$|COLUMNS$|BLESS$|GIT_)")


@dataclasses.dataclass
class Step:
    """A command with the lines of the page that hold its output (from `first` on, from 0)."""
    line: int
    command: str
    shown: bool = True
    first: int = 0
    output: list = dataclasses.field(default_factory=list)
    indent: str = ""
    refusal: tuple = ()    # the text of a refusal, and the command in its place

    @property
    def expected(self):
        return trimmed(self.output[:-1] if self.exit_line else self.output)

    @property
    def exit_line(self):
        return EXIT_LINE.match(self.output[-1]) if self.output else None

    @property
    def exit_code(self):
        return int(self.exit_line.group(1)) if self.exit_line else 0

    @property
    def title(self):
        return self.command.split("\n")[0]


class PageError(Exception):
    """What is wrong with a page before anything is executed; args: line, text."""


def trimmed(lines):
    lines = list(lines)
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def steps_of(page):
    """(where the session begins, its steps) of a page; None where it has no console block."""
    start, steps, refusal = None, [], ()
    for block in page.blocks:
        comment = re.match(r"\s*(session|setup|refused):\s*(.*?)\s*$", block.text, re.DOTALL)
        if block.kind == "comment" and comment and comment.group(1) == "session":
            start = comment.group(2)
        elif block.kind == "comment" and comment and comment.group(1) == "refused":
            refusal = tuple(comment.group(2).split(": ", 1))
        elif block.kind == "comment" and comment:
            steps.append(Step(block.line, comment.group(2), shown=False))
        elif block.kind == "code" and block.language == "console":
            if start is None:
                raise PageError(block.line, "no session comment before this console block: write "
                                "<!-- session: examples/NAME --> or <!-- session: empty -->")
            added = console_steps(block)
            added[0].refusal, refusal = refusal, ()
            steps += added
    return (start, steps) if start else None


def console_steps(block):
    lines = block.text.split("\n") if block.text else []
    steps, at = [], 0
    while at < len(lines):
        if not lines[at].startswith("$ "):
            raise PageError(block.line + at, "output without a command: begin the console block "
                            "with a line `$ COMMAND`")
        command, end = read_command(lines, at, block.line)
        output_end = end
        while output_end < len(lines) and not lines[output_end].startswith("$ "):
            output_end += 1
        steps.append(Step(block.line + at, command, True, block.line - 1 + end,
                          lines[end:output_end], block.indent))
        at = output_end
    return steps


def read_command(lines, at, first_line):
    """(command, index of the line behind it): with its lines that begin with `> `."""
    command = [lines[at][2:]]
    begin, at = at, at + 1
    word = HERE_DOCUMENT.search(command[0])
    while command[-1].endswith("\\") or (word and command[-1].strip() != word.group(2)):
        if at == len(lines) or not lines[at].startswith(">"):
            raise PageError(first_line + begin, "the command goes on: write the next line as "
                            "`> ...`")
        command.append(lines[at][2:])
        at += 1
    return "\n".join(command), at


# The session's surroundings

def source_tree(page_file):
    for folder in pathlib.Path(page_file).resolve().parents:
        if (folder / "examples").is_dir() and (folder / "CMakeLists.txt").is_file():
            return folder
    raise SystemExit(f"{page_file}: error: not inside a source tree of mpiskel")


def copy_folder(tree, folder, target):
    """A copy of what git knows of a folder (of all of it where there is no git)."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("GIT_")}    # of a hook, for instance
    listed = subprocess.run(["git", "-C", str(tree / folder), "ls-files", "-z", "--cached",
                             "--others", "--exclude-standard"], capture_output=True, check=False,
                            env=environment)
    names = [name for name in listed.stdout.decode().split("\0") if name]
    if listed.returncode or not names:
        shutil.copytree(tree / folder, target)
        return
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if (tree / folder / name).exists():
            shutil.copy2(tree / folder / name, target / name)


def session_directory(tree, start, root):
    if start == "empty":
        return root
    folder = tree / start
    if not folder.is_dir() or tree not in folder.resolve().parents:
        raise PageError(1, f"the session begins in {start}, which the tree does not have: name a "
                        "folder such as examples/heat3d, or empty")
    copy_folder(tree, start, root / folder.name)
    return root / folder.name


def session_environment(mpiskel, root):
    kept = {name: value for name, value in os.environ.items() if not NOT_INHERITED.match(name)}
    kept.update(PATH=f"{mpiskel.parent}:{os.environ['PATH']}", HOME=str(root), LC_ALL="C.UTF-8",
                TERM="dumb", PAGER="cat", BSIM_QUIET="0",  # others may work on this machine
                MPISKEL_REAL_RANKS="8",  # as on a machine with four processors
                GIT_CONFIG_GLOBAL="/dev/null",
                GIT_CEILING_DIRECTORIES=str(root.parent))
    if os.getuid() == 0:
        kept.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    return kept


def output_lines(output, names):
    """What a terminal would show, with paths of this machine replaced: names is [(path, name)]."""
    output = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", output)
    for path, name in names:
        output = output.replace(path, name)
    lines = [line.rstrip("\r").rpartition("\r")[2].expandtabs() for line in output.split("\n")]
    return trimmed(lines)


# One page

class Session:
    def __init__(self, options, file):
        self.options = options
        self.mpiskel = pathlib.Path(options.mpiskel).resolve()
        self.tree = source_tree(file)
        self.file = pathlib.Path(file).resolve()
        self.page = read_page(self.file, str(self.file.relative_to(self.tree)))
        self.bless = os.environ.get("BLESS") == "1"
        self.failures = 0
        self.blessed = []      # (step, lines) to be written
        self.directory = None  # where the session begins

    def run(self):
        """Whether the page's output is as it says."""
        try:
            found = steps_of(self.page)
            if not found:
                print(f"{self.page.path}: no console blocks")
                return True
            self.execute_in_fresh_directory(*found)
        except PageError as error:
            self.complain(*error.args)
        if self.bless and not self.failures:
            self.write_blessed()
        return not self.failures

    def execute_in_fresh_directory(self, start, steps):
        root = fresh_directory(self.options.work, page_name(self.page.path))
        begin = time.monotonic()
        try:
            self.directory = session_directory(self.tree, start, root)
            self.execute(root, steps)
        finally:
            if self.failures and (self.options.work or self.options.keep):
                print(f"{self.page.path}: the session's files are left in {root}")
            elif not self.options.keep:
                shutil.rmtree(root, ignore_errors=True)
        print(f"{self.page.path}: {len(steps)} commands in {time.monotonic() - begin:.1f} s, "
              f"{self.failures} complaints")

    def execute(self, root, steps):
        prefix = str(self.mpiskel.parent.parent)
        names = [(str(root), "/home/you"), (prefix, "/usr/local"),
                 (str(self.tree), "/home/you/mpiskel")]
        environment = session_environment(self.mpiskel, root)
        with Shell(self.directory, environment, self.options.timeout) as shell:
            for step in steps:
                try:
                    output, code = shell.run(step.command)
                    if code and step.refusal and step.refusal[0] in output:
                        step = dataclasses.replace(step, command=step.refusal[1], shown=False)
                        output, code = shell.run(step.command)
                except ShellEnded as ended:
                    self.complain(step.line, f"`{step.title}` did not come back: {ended.args[0]}",
                                  output_lines(ended.args[1], names))
                    return
                if not self.judge(step, output_lines(output, names), code):
                    return

    def judge(self, step, lines, code):
        """Compares; whether the session may go on."""
        if not step.shown:
            if code:
                self.complain(step.line, f"the setup `{step.title}` exits with {code}: correct it",
                              lines)
            return not code
        if self.bless:
            self.keep_blessed(step, shape.align(step.expected, lines), code)
            return True
        wanted, rows = shape.without_measured_rows(shape.without_findings(step.expected))
        found, _ = shape.without_measured_rows(shape.without_findings(lines))
        self.compare(step, shape.align(wanted, found), code, lines)
        self.check_places(step, rows)
        return True

    def check_places(self, step, rows):
        """Which regions and calls of a program are in a row is a matter of times, not that it has them."""
        for name in sorted(set(PLACE.findall("\n".join(rows)))):
            if name not in self.names_of_bundles():
                self.complain(step.line, f"no bundle of the session has {name}: correct the row")

    def names_of_bundles(self):
        """Regions as FILE:LINE, and each MPI function that is called."""
        names = set()
        for bundle in self.directory.glob("*.skel"):
            for region in json.loads((bundle / "regions.json").read_text(encoding="utf-8"))["regions"]:
                names.add(f"{region['file']}:{region['line']}")
            for source in (bundle / "src").rglob("*.[ch]"):
                names.update(PLACE.findall(source.read_text(encoding="utf-8")))
        return names

    def compare(self, step, pairs, code, lines):
        if code != step.exit_code:
            self.complain(step.line, f"`{step.title}` exits with {code}, not {step.exit_code}: "
                          f"correct it, or write `[exit {code}]` behind its output", lines)
        elif shape.differs(pairs):
            self.complain(step.line, f"`{step.title}` prints something else (- page, + printed): "
                          "correct the page, or make it anew with BLESS=1")
            print("\n".join(shape.difference(pairs)))

    def complain(self, line, text, output=()):
        self.failures += 1
        print(f"{self.page.path}:{line}: error: {text}")
        for printed in list(output)[-30:]:
            print(f"    | {printed}")

    def keep_blessed(self, step, pairs, code):
        lines = shape.blessed(pairs)
        if step.output and not step.output[-1].strip() and not step.exit_line and not code:
            lines += step.output[len(step.expected):]    # blank lines before the next command
        if code:
            lines.append(f"[exit {code}]")
        if code != step.exit_code:
            print(f"{self.page.path}:{step.line}: note: `{step.title}` exits with {code}")
        self.blessed.append((step, lines))

    def write_blessed(self):
        lines = list(self.page.lines)
        for step, output in reversed(self.blessed):
            lines[step.first:step.first + len(step.output)] = [
                (step.indent + line).rstrip() for line in output]
        if lines != self.page.lines:
            self.file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            print(f"{self.page.path}: blessed")


def page_name(path):
    """docs/tutorial/first-prediction.md is tutorial_first_prediction."""
    name = path.removesuffix(".md").removeprefix("docs/")
    return re.sub(r"\W", "_", name if name != "README" or path == "README.md"
                  else "docs_readme").lower()


def fresh_directory(work, name):
    if not work:
        return pathlib.Path(tempfile.mkdtemp(prefix=f"mpiskel-{name}-")).resolve()
    root = pathlib.Path(work).resolve() / name
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    return root


def end_on_signals():
    def end(number, _):
        raise SystemExit(128 + number)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, end)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mpiskel", required=True, help="the built tool")
    parser.add_argument("--work", help="where sessions' directories are made (default: a temporary "
                        "directory, removed in any case); what failed is left there")
    parser.add_argument("--keep", action="store_true", help="leave the directories there")
    parser.add_argument("--timeout", type=float, default=1400, help="seconds a page may take")
    parser.add_argument("pages", nargs="+", metavar="PAGE.md")
    options = parser.parse_args()
    end_on_signals()
    good = [Session(options, page).run() for page in options.pages]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    main()
