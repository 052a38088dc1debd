# SPDX-License-Identifier: Apache-2.0
"""Manual pages of what --help says: mpiskel.1, and mpiskel-COMMAND.1 for each command."""
import re
import textwrap

from command_examples import EXAMPLES

WIDTH = 76
ALSO_ALL = """\
Every command also takes -h (--help), which prints its usage and options, --usage, --quiet and --verbose.
Pages that are named docs/... lie below the directory that `mpiskel --documents` prints."""


def pages(tool):
    """{name of the file: text}"""
    made = {"mpiskel.1": overview_page(tool)}
    for name, text in tool.commands.items():
        made[f"mpiskel-{name}.1"] = command_page(tool, name, text)
    return made


def overview_page(tool):
    first = tool.overview.split("\n", 1)[0]
    parts = [title(tool, "mpiskel"), section("NAME", filled(first.replace(": ", " - ", 1))),
             section("SYNOPSIS", ".B mpiskel\n.I COMMAND\n[ARGUMENTS]"),
             section("DESCRIPTION", filled(tool.overview.rstrip().split("\n\n")[-1] + "\n" + ALSO_ALL)),
             section("COMMANDS", "\n".join(item(f"mpiskel-{name}(1)", text)
                                           for name, text in tool.commands.items())),
             section("SEE ALSO", ".BR smpirun (1),\n.BR mpirun (1)")]
    return "\n".join(parts) + "\n"


def command_page(tool, name, text):
    told = tool.help(name)
    parts = [title(tool, f"mpiskel-{name}"),
             section("NAME", filled(f"mpiskel-{name} - {text}")),
             section("SYNOPSIS", synopsis(told.usage)),
             section("DESCRIPTION", filled(told.description))]
    if EXAMPLES[name]:
        parts.append(section("EXAMPLE", f".nf\n{escaped(EXAMPLES[name])}\n.fi"))
    parts.append(section("OPTIONS", options(told.options)))
    notes = [note(text) for text in told.notes.split("\n\n") if text.strip()]
    if notes:
        parts.append(section("NOTES", "\n.PP\n".join(notes)))
    parts.append(section("SEE ALSO", ".BR mpiskel (1)"))
    return "\n".join(parts) + "\n"


def title(tool, name):
    return f'.TH {name.upper()} 1 "{tool.date}" "mpiskel {tool.version}" "mpiskel"'


def section(heading, text):
    return f".SH {heading}\n{text}"


def synopsis(usage):
    calls = [re.sub(r"^(Usage:|  or:)\s*", "", line) for line in joined(usage)]
    return "\n.br\n".join(filled(call) for call in calls)


def joined(usage):
    """A call whose words go on in the next line is one line."""
    return re.sub(r"\n\s{6,}", " ", usage).split("\n")


def options(all_options):
    groups = {}
    for option in all_options:
        groups.setdefault(option.group, []).append(option)
    return "\n".join((f".SS {escaped(group)}\n" if group else ".SS Other options\n" if at else "")
                     + "\n".join(item(option.spelling, option.text) for option in listed)
                     for at, (group, listed) in enumerate(groups.items()))


def item(name, text):
    return f".TP\n.B {escaped(name)}\n{filled(text)}" if text else f".TP\n.B {escaped(name)}\n\\&"


def note(text):
    if re.search(r"^ |  |^Examples?:|^mpiskel ", text, re.MULTILINE):
        lines = [escaped(line) or "\\&" for line in textwrap.dedent(text).split("\n")]
        return ".nf\n" + "\n".join(lines) + "\n.fi"
    return filled(text)


def filled(text):
    wrapped = textwrap.wrap(coded(" ".join(text.split())), WIDTH, break_on_hyphens=False,
                            break_long_words=False)
    return "\n".join(as_text(line) for line in wrapped)


def escaped(line):
    return as_text(coded(line))


def coded(text):
    return text.replace("\\", "\\e").replace("-", "\\-")


def as_text(line):
    """A line that begins with a dot would be a request."""
    return re.sub(r"^([.'])", r"\\&\1", line)
