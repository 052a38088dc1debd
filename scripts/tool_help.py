# SPDX-License-Identifier: Apache-2.0
"""What `mpiskel --help` and `mpiskel COMMAND --help` say, as data.

In comes the built tool; out come its commands and each command's usage, options and notes. The
form is that of GNU argp: usage and description, a blank line, options from column 2 on with their
text in column 29 under group headings in column 1, then notes."""
import dataclasses
import functools
import json
import os
import re
import subprocess

COMMAND_LINE = re.compile(r"^  ([a-z]+)\s+(\S.*)$")
OPTION_LINE = re.compile(r"^ {2,6}(-.*?)(?: {2,}(\S.*?)?)?\s*$")
TEXT_COLUMN = 29
OPTION_NAME = re.compile(r"--?[\w?][\w-]*")
ALSO = re.compile(r"\(also (-\w+)")
LAST_OPTION = re.compile(r"^\s+--(usage|verbose)\b")
ARGP_REMARK = re.compile(r"Mandatory or optional arguments to long options.*?options\.\n*", re.S)


@dataclasses.dataclass
class Option:
    spelling: str          # as the help has it: -o, --output=FILE
    text: str
    group: str

    @property
    def names(self):
        before_argument = re.sub(r"(=|\[=| [A-Z]).*", "", self.spelling)
        return OPTION_NAME.findall(before_argument) + ALSO.findall(self.text)

    @property
    def takes_value(self):
        """Whether the next word is its value where none follows behind =."""
        return "[=" not in self.spelling and bool(re.search(r"=| [A-Z]", self.spelling))


@dataclasses.dataclass
class Help:
    usage: str
    description: str
    options: list
    notes: str

    @property
    def takes_options_of_run(self):
        return bool(re.search(r"OPTIONS OF RUN", self.usage, re.IGNORECASE))

    @property
    def runs_a_command(self):
        """Whether its first argument is a command of others, with options of its own."""
        return bool(re.search(r"\bCOMMAND \[ARGUMENT", self.usage))


class Tool:
    def __init__(self, mpiskel):
        self.mpiskel = str(mpiskel)

    @functools.cached_property
    def overview(self):
        return self.ask()

    @functools.cached_property
    def commands(self):
        """{command: what it does in one line}, in the order of the help."""
        return dict(match.groups() for match in map(COMMAND_LINE.match, self.overview.split("\n"))
                    if match)

    @functools.cached_property
    def own_options(self):
        """Of mpiskel without a command."""
        return set(re.findall(r"--[a-z][\w-]*", self.overview))

    @functools.cached_property
    def version_text(self):
        return self.ask_for("--version").strip()

    @property
    def version(self):
        return self.version_text.split()[1]

    @property
    def date(self):
        """Of the sources; of some none is known."""
        found = re.search(r"\d{4}-\d\d-\d\d", self.version_text)
        return found.group() if found else ""

    @functools.cached_property
    def presets(self):
        """Names of networks."""
        listed = json.loads(self.ask_for("platform", "--list", "--format=json"))
        return [preset["name"] for preset in listed["presets"]]

    @functools.lru_cache(maxsize=None)
    def help(self, command):
        return read_help(self.ask(command))

    def ask(self, *command):
        return self.ask_for(*command, "--help")

    def ask_for(self, *words):
        asked = [self.mpiskel, *words]
        environment = {name: value for name, value in os.environ.items()
                       if name != "ARGP_HELP_FMT"}
        answer = subprocess.run(asked, capture_output=True, text=True, check=False,
                                env={**environment, "LC_ALL": "C.UTF-8"})
        if answer.returncode or not answer.stdout:
            raise SystemExit(f"error: `{' '.join(asked)}` exits with {answer.returncode}: "
                             f"{answer.stderr.strip() or 'it prints nothing'}")
        return answer.stdout


def read_help(text):
    lines = text.rstrip().split("\n")
    head = lines.index("") if "" in lines else len(lines)
    usage_end = next((at for at in range(1, head) if not re.match(r"^(  or:|\s{6,})", lines[at])),
                     head)
    end = max([head, *(at for at, line in enumerate(lines) if LAST_OPTION.match(line))]) + 1
    notes = ARGP_REMARK.sub("", "\n".join(lines[end:])).strip("\n")
    return Help("\n".join(lines[:usage_end]), "\n".join(lines[usage_end:head]),
                read_options(lines[head:end]), notes)


def read_options(lines):
    options, group = [], ""
    for line in lines:
        option = OPTION_LINE.match(parted(line))
        if not line or re.match(r"^ \S", line):
            group = line.strip().rstrip(":")
        elif option:
            options.append(Option(option.group(1), option.group(2) or "", group))
        elif options and line.strip():
            options[-1].text = f"{options[-1].text} {line.strip()}".strip()
    return options


def parted(line):
    """A spelling that just fits before column TEXT_COLUMN has a single blank behind it."""
    head, text = line[:TEXT_COLUMN], line[TEXT_COLUMN:]
    fits = head.endswith(" ") and text[:1].strip() and not re.search(r"-.* {2}", line)
    return f"{head} {text}" if fits else line
