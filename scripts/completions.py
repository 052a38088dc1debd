# SPDX-License-Identifier: Apache-2.0
"""Completion for bash, zsh and fish of what --help says: commands, options, words that options take, presets
of networks, and bundles."""
import re

HEAD = "# Completion of mpiskel for {}, made by scripts/installed-pages of --help.\n"


class Value:
    """What may be behind an option: words of its own, presets, files."""

    def __init__(self, option, presets):
        spelled = re.search(r"(?:\[?=| )([^ ]*[^ \]])\]?$", re.sub(r",.*?(?==)", "", option.spelling))
        parts = spelled.group(1).split("|") if spelled else []
        self.words = [part for part in parts if re.fullmatch(r"[a-z][\w.+-]*", part)]
        self.words += presets if "preset" in option.text.lower() and parts else []
        self.is_taken = option.takes_value
        self.is_file = not self.words or any(re.search(r"FILE|PATH|DIR|\.", part) for part in parts)


def completions(tool):
    """{shell: text}"""
    return {"bash": bash(tool), "zsh": zsh(tool), "fish": fish(tool)}


def options_of(tool, command):
    """(name, text, value), a row for each way to write an option."""
    for option in tool.help(command).options:
        for name in option.names:
            if name not in ("-?", "-np"):
                yield name, option.text, Value(option, tool.presets)


def arguments_of(tool, command):
    """Words that stand where the bundle does."""
    usage = tool.help(command).usage
    called = re.findall(r"\[OPTION\.\.\.\] ([a-z]+)\b", usage)
    return list(dict.fromkeys(called)) + (tool.presets if command == "platform" else [])


def bash(tool):
    cases, values = [], []
    for command in tool.commands:
        rows = list(options_of(tool, command))
        words = [name for name, _, _ in rows]
        cases.append(f'        {command}) options="{" ".join(words)}"; '
                     f'words="{" ".join(arguments_of(tool, command))}" ;;')
        values += [f"        {command}{name}) words=\"{' '.join(value.words)}\"; files={int(value.is_file)} ;;"
                   for name, _, value in rows if value.is_taken or value.words]
    return (HEAD.format("bash") + BASH.replace("@COMMANDS@", " ".join([*tool.commands, "help"]))
            .replace("@CASES@", "\n".join(cases)).replace("@VALUES@", "\n".join(values)))


# COMP_WORDS has `=` as a word of its own.
BASH = r"""_mpiskel() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
    local options= words= files=1
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$command" = help ]; }; then
        COMPREPLY=($(compgen -W "@COMMANDS@ --help --version --makefile --documents" -- "$word"))
        return
    fi
    [ "$word" != = ] || word=
    [ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD-2]}
    case $command in
@CASES@
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
        return
    fi
    case $command$before in
@VALUES@
    esac
    [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$word"))
    if [ "$files" = 1 ]; then
        local bundles
        bundles=$(compgen -d -X '!*.skel' -- "$word")
        [[ $before == -* || -z $bundles ]] && bundles=$(compgen -f -- "$word")
        compopt -o filenames 2> /dev/null
        [ -z "$bundles" ] || mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY <<< "$bundles"
    fi
}
complete -F _mpiskel mpiskel
"""


def zsh(tool):
    parts = ["#compdef mpiskel\n" + HEAD.format("zsh"), "_mpiskel() {", "  local -a commands=("]
    parts += [f"    {quoted(name + ':' + text)}" for name, text in tool.commands.items()]
    parts += ["  )", "  if (( CURRENT == 2 )); then", "    _describe command commands",
              "    compadd -- help --help --version --makefile --documents", "    return", "  fi",
              "  local command=$words[2]", "  shift words", "  (( CURRENT-- ))", "  case $command in"]
    for command in tool.commands:
        parts += [f"    {command}) _arguments -S : \\"]
        parts += [f"      {zsh_option(*row)} \\" for row in options_of(tool, command)]
        words = arguments_of(tool, command)
        parts += [f"      {quoted('*:bundle or file' + zsh_action(words, True))} ;;"]
    parts += ["    help) _describe command commands ;;", "    *) _files ;;", "  esac", "}", "_mpiskel \"$@\""]
    return "\n".join(parts) + "\n"


def zsh_option(name, text, value):
    text = re.sub(r"([\[\]:\\])", r"\\\1", text)
    may_follow = "=" if name.startswith("--") else ""
    action = f":value{zsh_action(value.words, value.is_file)}"
    if value.is_taken:
        return quoted(f"{name}{may_follow}[{text}]{action}")
    return quoted(f"{name}=-[{text}]:{action}" if value.words and may_follow else f"{name}[{text}]")


def zsh_action(words, is_file):
    offered = f"compadd -- {' '.join(words)}" if words else ""
    return f":{{{'; '.join(part for part in (offered, '_files' if is_file else '') if part)}}}"


def fish(tool):
    parts = [HEAD.format("fish"), f"set -l commands {' '.join(tool.commands)} help",
             "complete -c mpiskel -f -n __fish_use_subcommand -l version -d 'print the version'"]
    parts += [f"complete -c mpiskel -f -n __fish_use_subcommand -a {name} -d {quoted(text)}"
              for name, text in tool.commands.items()]
    parts += [f"complete -c mpiskel -f -n '__fish_seen_subcommand_from help' -a {quoted(' '.join(tool.commands))}"]
    for command in tool.commands:
        on = f"complete -c mpiskel -n '__fish_seen_subcommand_from {command}'"
        words = arguments_of(tool, command)
        parts += [f"{on} -a {quoted(' '.join(words))}"] if words else []
        parts += [fish_option(on, *row) for row in options_of(tool, command)]
    return "\n".join(parts) + "\n"


def fish_option(on, name, text, value):
    kind = "-l" if name.startswith("--") else "-s"
    taken = " -r" if value.is_taken and value.is_file else " -x" if value.is_taken else ""
    words = f" -a {quoted(' '.join(value.words))}" if value.words and value.is_taken else ""
    return f"{on} {kind} {name.lstrip('-')}{taken}{words} -d {quoted(text)}"


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"
