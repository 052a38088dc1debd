# SPDX-License-Identifier: Apache-2.0
"""The form of a page's prose: lengths, the first paragraph, and what does not belong into it."""
import re

from markdown import COMMENT, without_code

MOST_WORDS = 120
MOST_SENTENCES = 2
README_LINES = 170
LINE_LENGTH = 160
SOURCE_FOLDERS = ("base", "mpi", "frontend", "model", "skeletonizer", "runtime", "simulator",
                  "cli")
SYSTEM_HEADERS = {"mpi.h", "unistd.h"}    # of which the tool has substitutes

MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November" \
        r"|December|(?:Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec)\.?)"
DATE = re.compile(rf"\b(?:(?:19|20)\d\d-\d\d(?:-\d\d)?|\d{{1,2}}\.\d{{1,2}}\.(?:19|20)\d\d"
                  rf"|\d{{1,2}}/\d{{1,2}}/(?:19|20)\d\d|(?:\d{{1,2}}\.? )?{MONTH} (?:19|20)\d\d"
                  rf"|{MONTH} \d{{1,2}}, (?:19|20)\d\d)\b")
COMMIT = re.compile(r"\b(?=[a-f]*\d)(?=\d*[a-f])(?!\d+e\d+\b)[0-9a-f]{7,40}\b")
SOURCE_FILE = re.compile(r"(?<![\w./-])((?:[\w-]+/)*)([\w-]+\.[ch])\b")
ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|cf|vs|approx|Fig|Sect|No)\.")
SENTENCE_END = re.compile(r"[.!?][\"')\]*_]*(?=\s+[\"'(\[*_]*[A-Z0-9]|\s*$)")
OUTPUT = ("console", "text", "json", "c", "mermaid")
LONG_LINK = re.compile(r"\]\([^)]*\)")


def in_folder(page, *folders):
    return any(page.path.startswith(f"docs/{folder}/") for folder in folders)


def word_count(text):
    return len(COMMENT.sub(" ", text).split())


def sentence_count(text):
    text = ABBREVIATION.sub("x", " ".join(without_code(text, "X").split()))
    return max(1, len(SENTENCE_END.findall(text)) + bool(re.search(r"[^.!?:)\"'\]*_]\s*$", text)))


def long_paragraphs(page):
    names = {"paragraph": "paragraph", "item": "list item", "cell": "table cell"}
    for block in page.blocks:
        words = word_count(block.text) if block.prose else 0
        if words > MOST_WORDS:
            yield block.line, f"{names[block.kind]} of {words} words: make several of at most " \
                f"{MOST_WORDS}, or a list"


def first_paragraph(page):
    blocks = [block for block in page.blocks if block.kind != "comment"]
    if not blocks or blocks[0].kind != "heading" or blocks[0].level != 1:
        yield 1, "the page does not begin with its title: write # TITLE first"
        return
    if len(blocks) < 2 or blocks[1].kind != "paragraph":
        yield blocks[0].line, "no paragraph behind the title: write two sentences, what the page " \
            "is for and what the reader has at the end"
        return
    count = sentence_count(blocks[1].text)
    if count > MOST_SENTENCES:
        yield blocks[1].line, f"the first paragraph has {count} sentences: leave at most " \
            f"{MOST_SENTENCES}, what the page is for and what the reader has at the end"


def readme_length(page):
    if len(page.lines) > README_LINES:
        yield README_LINES + 1, f"README has {len(page.lines)} lines: leave at most {README_LINES}"


def long_lines(page):
    for at in prose_lines(page):
        line = page.lines[at]
        if not line.lstrip().startswith("|") and len(LONG_LINK.sub("]()", line)) > LINE_LENGTH \
                and " " in line.strip():
            yield at + 1, f"line of {len(line)} characters: wrap it at about 110"


def prose_lines(page):
    """Indices of lines outside code and comments."""
    code = set()
    for block in page.blocks:
        if block.kind in ("code", "comment"):
            code.update(range(block.line - 1, block.line + block.text.count("\n")))
    return [at for at in range(len(page.lines)) if at not in code]


def judged_lines(page):
    """(index, line) of prose, commands, and other code that is not output or a file's content."""
    prose = set(prose_lines(page))
    output = set()
    for block in page.blocks:
        if block.kind == "code" and block.language in OUTPUT:
            texts = block.text.split("\n")
            output.update(block.line - 1 + at for at, text in enumerate(texts)
                          if not (block.language == "console" and text.startswith("$ ")))
    for at, line in enumerate(page.lines):
        if at in prose or at not in output:
            yield at, line


def dates(page):
    for at, line in judged_lines(page):
        for match in DATE.finditer(line):
            yield at + 1, f"date {match.group(0)}: leave it out, dates belong in docs/results/"


def commits(page):
    for at, line in judged_lines(page):
        for match in COMMIT.finditer(line):
            yield at + 1, f"{match.group(0)} looks like a commit: leave it out, history belongs " \
                "in docs/results/"


class SourceNames:
    """Names of the tool's source files; a file of that name among the examples is fine."""

    def __init__(self, tree):
        self.examples = {file.name for file in (tree / "examples").rglob("*.[ch]")}
        self.sources = {file.name for folder in SOURCE_FOLDERS
                        for file in (tree / folder).rglob("*.[ch]")} - SYSTEM_HEADERS

    def complaints(self, page):
        for at, line in judged_lines(page):
            for match in SOURCE_FILE.finditer(line):
                folder, name = match.groups()
                inside = folder.split("/")[0] in SOURCE_FOLDERS
                if name in self.sources and (inside or name not in self.examples):
                    yield at + 1, f"{folder}{name} is a source file of mpiskel: say what it " \
                        "does instead; only docs/explanation/ and docs/results/ name sources"


class MachinePaths:
    """Paths that only this machine has: where the tree lies, and the user's home."""
    COMMON = ("bin", "boot", "dev", "etc", "home", "lib", "mnt", "opt", "proc", "run", "sbin",
              "srv", "sys", "tmp", "usr", "var")

    def __init__(self, tree, home):
        top = tree.parts[1] if len(tree.parts) > 1 else ""
        paths = {str(tree), str(home)} | ({f"/{top}"} if top not in self.COMMON else set())
        paths -= {"/", "/home/you"}
        longest_first = sorted(map(re.escape, paths), key=len, reverse=True)
        self.pattern = re.compile(rf"(?<![\w./])(?:{'|'.join(longest_first)})(?=[/\s`'\"):]|$)")

    def complaints(self, page):
        for at, line in enumerate(page.lines):
            for match in self.pattern.finditer(line):
                yield at + 1, f"{match.group(0)} is a path of this machine: write a " \
                    "placeholder such as /home/you"


def languages(page):
    for block in page.blocks:
        if block.kind == "code" and not block.language:
            yield block.line, "code without a language: write a fenced block ```console " \
                "(commands and output), ```sh (commands only), ```c, ```text or ```json"
        if block.kind == "code" and block.language in ("sh", "bash", "shell") \
                and re.search(r"^\$ ", block.text, re.MULTILINE):
            yield block.line, "a prompt in a block of commands only: call it ```console, or " \
                "leave the prompts out"
