# SPDX-License-Identifier: Apache-2.0
"""Links of a page: what they name has to exist in the tree, anchors too, by GitHub's rules.

Known are inline links and images, references with their definitions, href and src of HTML, and
pages that are named as docs/NAME.md without a link.
Addresses with a scheme (https:) are not looked at."""
import difflib
import os
import re

from markdown import CODE_SPAN, read_page, without_code

INLINE = re.compile(r"\]\(\s*<?([^)\s>]*)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"\]\[([^\]]+)\]")
DEFINITION = re.compile(r"^ {0,3}\[([^\]]+)\]:\s*<?(\S+?)>?\s*$", re.MULTILINE)
HTML = re.compile(r"\b(?:src|href)=\"([^\"]*)\"")
NAMED = re.compile(r"<a\s+(?:name|id)=\"([^\"]+)\"")
SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)
NAMED_PAGE = re.compile(r"(?<![\w./-])docs/[\w./-]*\.md\b")
LINES = re.compile(r"L(\d+)(?:-L(\d+))?")


def anchor(heading):
    """What GitHub makes of a heading's text."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = CODE_SPAN.sub(lambda match: match.group(2).replace("_", "\0"), text)
    text = re.sub(r"(?<!\w)_(.+?)_(?!\w)", r"\1", text).replace("\0", "_")
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def anchors(page):
    found = set()
    for block in page.blocks:
        if block.kind == "heading":
            name = base = anchor(block.text)
            count = 0
            while name in found:
                count += 1
                name = f"{base}-{count}"
            found.add(name)
        if block.kind != "code":
            found.update(NAMED.findall(block.text))
    return found


def links(page):
    """(line, target) of each; a reference without definition has the target None."""
    texts = [(block.line, without_code(block.text)) for block in page.blocks
             if block.kind not in ("code", "comment")]
    defined = {name.lower() for _, text in texts for name, _ in DEFINITION.findall(text)}
    for line, text in texts:
        for pattern, group in ((INLINE, 1), (DEFINITION, 2), (HTML, 1)):
            for match in pattern.finditer(text):
                yield line + text.count("\n", 0, match.start()), match.group(group)
        for match in REFERENCE.finditer(text):
            if match.group(1).lower() not in defined:
                yield line + text.count("\n", 0, match.start()), None


class LinkCheck:
    def __init__(self, tree):
        self.tree = os.path.realpath(tree)
        self.known_anchors = {}

    def complaints(self, page):
        for line, target in links(page):
            text = self.complaint(page, target)
            if text:
                yield line, text
        for at, line in enumerate(page.lines):
            for match in NAMED_PAGE.finditer(line):
                if not os.path.exists(os.path.join(self.tree, match.group(0))):
                    yield at + 1, f"{match.group(0)}: there is no such page; correct the name"

    def complaint(self, page, target):
        if target is None:
            return "a link to a reference that is not defined: write [NAME]: TARGET"
        if SCHEME.match(target):
            return None
        name, _, fragment = target.partition("#")
        if name.startswith("/"):
            return f"link {target}: write it relative to this page"
        here = os.path.join(self.tree, page.path)
        file = os.path.normpath(os.path.join(os.path.dirname(here), name)) if name else here
        if os.path.commonpath([file, self.tree]) != self.tree:
            return f"link {target} leaves the tree: name something inside it"
        if not os.path.exists(file):
            return f"link {target}: there is no such file; correct the path"
        return self.fragment_complaint(target, file, fragment) if fragment else None

    def fragment_complaint(self, target, file, fragment):
        if not file.endswith(".md"):
            return None if LINES.fullmatch(fragment) else \
                f"link {target}: only Markdown pages have anchors"
        if file not in self.known_anchors:
            self.known_anchors[file] = anchors(read_page(file))
        if fragment in self.known_anchors[file]:
            return None
        return f"link {target}: the page has no heading with the anchor #{fragment}; it has " \
               f"{nearest(fragment, self.known_anchors[file])}"


def nearest(fragment, known):
    close = difflib.get_close_matches(fragment, sorted(known), 3, 0.4) or sorted(known)[:3]
    return ", ".join(f"#{name}" for name in close) or "none"
