# SPDX-License-Identifier: Apache-2.0
"""A page of Markdown as blocks: headings, paragraphs, list items, table cells, code, comments.

In comes a file; out comes a Page with its Blocks in order, each with the line it begins in (from
1). It knows what the project's pages use: ATX headings, fenced and indented code, pipe tables,
lists, quotes, comments. Not known: setext headings, tables inside lists, nested quotes."""
import dataclasses
import re

FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*([^\s`]*)[^`]*$")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?=\S)")
RULE = re.compile(r"^\s*([-*_])(\s*\1){2,}\s*$")
DELIMITER_ROW = re.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)


@dataclasses.dataclass
class Block:
    """kind: heading, paragraph, item, cell, code, comment. `text` is without the markers of the
    kind, and for code without its indentation; `line` is where text begins."""
    kind: str
    line: int
    text: str
    language: str = ""   # of code; "" where it has none
    indent: str = ""     # of code
    level: int = 0       # of a heading

    @property
    def prose(self):
        return self.kind in ("paragraph", "item", "cell")


@dataclasses.dataclass
class Page:
    path: str            # as complaints name it
    lines: list
    blocks: list


def read_page(file, name=None):
    with open(file, encoding="utf-8") as stream:
        lines = stream.read().split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    return Page(name or str(file), lines, Parser(lines).blocks())


class Parser:
    def __init__(self, lines):
        self.lines = lines
        self.at = 0
        self.found = []

    def blocks(self):
        while self.at < len(self.lines):
            if not self.lines[self.at].strip() or RULE.match(self.lines[self.at]):
                self.at += 1
            else:
                self.block(self.lines[self.at])
        return self.found

    def block(self, line):
        if FENCE.match(line):
            self.fenced(FENCE.match(line))
        elif line.lstrip().startswith("<!--"):
            self.comment()
        elif HEADING.match(line):
            self.heading(HEADING.match(line))
        elif self.table_begins(self.at):
            self.table()
        elif self.is_indented_code(line):
            self.indented()
        else:
            self.paragraph(line)

    def add(self, kind, at, text, **more):
        self.found.append(Block(kind, at + 1, text, **more))

    def fenced(self, opening):
        indent, fence, language = opening.groups()
        closing = re.compile(rf"^\s*{re.escape(fence[0])}{{{len(fence)},}}\s*$")
        first = self.at = self.at + 1
        while self.at < len(self.lines) and not closing.match(self.lines[self.at]):
            self.at += 1
        text = [without_indent(line, indent) for line in self.lines[first:self.at]]
        self.add("code", first, "\n".join(text), language=language, indent=indent)
        self.at += 1

    def comment(self):
        first = self.at
        while self.at < len(self.lines) and "-->" not in self.lines[self.at]:
            self.at += 1
        self.at += 1
        text = "\n".join(self.lines[first:self.at])
        match = COMMENT.search(text)
        self.add("comment", first, match.group(1) if match else text.lstrip()[4:])

    def heading(self, match):
        self.add("heading", self.at, match.group(2), level=len(match.group(1)))
        self.at += 1

    def table_begins(self, at):
        return ("|" in self.lines[at] and at + 1 < len(self.lines)
                and "|" in self.lines[at + 1] and bool(DELIMITER_ROW.match(self.lines[at + 1])))

    def table(self):
        header = self.at
        while self.at < len(self.lines) and "|" in self.lines[self.at]:
            if self.at != header + 1:
                for cell in cells(self.lines[self.at]):
                    self.add("cell", self.at, cell)
            self.at += 1

    def is_indented_code(self, line):
        in_list = any(block.kind == "item" for block in self.found[-1:]) \
            or (self.found and self.found[-1].kind == "code" and self.found[-1].indent)
        return line.startswith("    ") and not in_list and not ITEM.match(line)

    def indented(self):
        first = self.at
        while self.at < len(self.lines) and self.lines[self.at].startswith("    "):
            self.at += 1
        text = "\n".join(line[4:] for line in self.lines[first:self.at])
        self.add("code", first, text)

    def paragraph(self, line):
        first = self.at
        item = ITEM.match(line)
        text = [line[item.end():] if item else unquoted(line)]
        self.at += 1
        while self.at < len(self.lines) and self.continues(self.lines[self.at]):
            text.append(unquoted(self.lines[self.at]))
            self.at += 1
        self.add("item" if item else "paragraph", first, "\n".join(text))

    def continues(self, line):
        begins_another = (FENCE.match(line) or HEADING.match(line) or ITEM.match(line)
                          or RULE.match(line) or line.lstrip().startswith("<!--")
                          or self.table_begins(self.at))
        return bool(line.strip()) and not begins_another


def unquoted(line):
    return re.sub(r"^\s*>\s?", "", line)


def without_indent(line, indent):
    return line[len(indent):] if line.startswith(indent) else line.lstrip()


def cells(row):
    """The cells of a table's row; a | behind a backslash or inside a code span does not part."""
    masked = CODE_SPAN.sub(lambda match: "x" * len(match.group(0)), row)
    masked = masked.replace("\\|", "xx")
    ends = [match.start() for match in re.finditer(r"\|", masked)] + [len(row)]
    begins = [0] + [end + 1 for end in ends[:-1]]
    found = [row[begin:end].strip() for begin, end in zip(begins, ends)]
    if row.lstrip().startswith("|"):
        found = found[1:]
    return found[:-1] if found and row.rstrip().endswith("|") else found


def code_spans(block):
    """(line, code) of the inline code of a block of prose or a heading."""
    for match in CODE_SPAN.finditer(block.text):
        line = block.line + block.text.count("\n", 0, match.start())
        yield line, " ".join(match.group(2).split())


def without_code(text, filler="x"):
    """The text with inline code and comments covered, all else at its place."""
    def cover(match):
        return re.sub(r"[^\n]", filler, match.group(0))
    return COMMENT.sub(cover, CODE_SPAN.sub(cover, text))
