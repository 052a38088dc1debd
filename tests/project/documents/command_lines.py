# SPDX-License-Identifier: Apache-2.0
"""Commands of mpiskel in a page: each command and option that is shown exists.

Looked at is inline code, and blocks in sh and console. Options of other programs on the same line
(before mpiskel, behind `--`, behind | or ;, in quotes, of the command that `capture` runs) are not
mpiskel's. Inline code that begins with an option alone has to be one of some command of mpiskel,
or named by a comment of the page: <!-- options of others: --size --cfg -->."""
import re
import shlex

from markdown import code_spans

OTHERS = re.compile(r"\s*options of others:\s*(.*)", re.DOTALL)
END_OF_COMMAND = re.compile(r"^[|&;<>()]+$")
PLACEHOLDER = re.compile(r"^([A-Z][A-Z_]*|\.\.\.|…|<.*>|\[.*|'?COMMAND'?)$")
LONG = re.compile(r"^(--[a-z][\w-]*)(\[?=.*)?$")
SHORT = re.compile(r"^(-[A-Za-z?])(.*)$")


def command_lines(page):
    """(line, text) of what may hold commands of mpiskel."""
    for block in page.blocks:
        if block.kind in ("heading", "paragraph", "item", "cell"):
            yield from code_spans(block)
        elif block.kind == "code" and block.language in ("sh", "bash", "shell"):
            yield from shell_lines(block.line, block.text.split("\n"))
        elif block.kind == "code" and block.language == "console":
            yield from console_lines(block)


def shell_lines(first, lines):
    at = 0
    while at < len(lines):
        begin, text = at, lines[at]
        while text.endswith("\\") and at + 1 < len(lines):
            at += 1
            text = text[:-1] + " " + lines[at].strip()
        yield first + begin, text
        at += 1


def console_lines(block):
    """Commands as one line each; here-documents are not commands."""
    lines = block.text.split("\n")
    for first, line in enumerate(lines):
        if line.startswith("$ "):
            at, text = first, line[2:]
            while text.endswith("\\") and at + 1 < len(lines) and lines[at + 1].startswith("> "):
                at += 1
                text = text[:-1] + " " + lines[at][2:].strip()
            yield block.line + first, text


def words_of(text):
    """As a shell splits it, as far as that goes: prose in code may have a single quote."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = "#"
    try:
        return list(lexer)
    except ValueError:
        return text.split()


def options_of_others(page):
    comments = [OTHERS.match(block.text) for block in page.blocks if block.kind == "comment"]
    return {name for match in comments if match for name in match.group(1).split()}


class CommandCheck:
    def __init__(self, tool):
        self.tool = tool

    def complaints(self, page):
        others = options_of_others(page)
        for line, text in command_lines(page):
            words = words_of(text)
            for at, word in enumerate(words):
                if is_mpiskel(word, words[at + 1:at + 2]):
                    yield from ((line, told) for told in self.call(words[at + 1:]))
            if words and words[0] not in others and "mpiskel" not in words:
                yield from ((line, told) for told in self.without_name(words))

    def call(self, words):
        """Complaints on what follows the word mpiskel."""
        if not words or END_OF_COMMAND.match(words[0]) or PLACEHOLDER.match(words[0]):
            return []
        if words[0].startswith("-"):
            return self.own_option(words[0])
        if words[0] not in self.tool.commands:
            return [f"mpiskel has no command {words[0]}: it has {', '.join(self.tool.commands)}"]
        return self.options(words[0], words[1:])

    def own_option(self, word):
        known = self.tool.own_options | {"-?"}
        return [] if word in known else [f"mpiskel has no option {word} before a command: "
                                         "see mpiskel --help"]

    def without_name(self, words):
        """Inline code as `run --set ...` or `--set ...`."""
        if words[0] in self.tool.commands and any(LONG.match(word) for word in words[1:]):
            return self.options(words[0], words[1:])
        name = LONG.match(words[0])
        if name and not any(name.group(1) in self.known(command)
                            for command in self.tool.commands) \
                and name.group(1) not in self.tool.own_options:
            return [f"no command of mpiskel has an option {name.group(1)}: correct it, or write "
                    "the program before it whose option it is, or name it in a comment "
                    f"<!-- options of others: {name.group(1)} -->"]
        return []

    def known(self, command):
        """{option: whether the next word is its value} of one command."""
        told = self.tool.help(command)
        known = self.known("run") if told.takes_options_of_run else {}
        for option in told.options:
            known.update({name: option.takes_value for name in option.names})
        return known

    def options(self, command, words):
        known = self.known(command)
        stops = self.tool.help(command).runs_a_command
        at = 0
        while at < len(words) and words[at] != "--" and not END_OF_COMMAND.match(words[at]):
            name, value = option_name(words[at], known)
            if name is None and stops:
                return
            if name is not None and name not in known:
                yield f"mpiskel {command} has no option {name}: see mpiskel {command} --help"
            at += 2 if name and not value and known.get(name) else 1


def is_mpiskel(word, following):
    """A word names the tool, not a folder: something that can be its command follows."""
    return (word == "mpiskel" or word.endswith("/bin/mpiskel")) and \
        bool(following) and bool(re.match(r"^(-|[A-Za-z.…\[<])", following[0]))


def option_name(word, known):
    """(option, its value behind = or in the same word); (None, None) of another word."""
    word = word.lstrip("[").rstrip("]") if word.startswith("[-") else word
    if word in known:
        return word, None
    long = LONG.match(word)
    if long:
        return long.groups()
    short = SHORT.match(word)
    return short.groups() if short else (None, None)
