# SPDX-License-Identifier: Apache-2.0
"""Manual pages and completion, as they are installed: man renders the pages, mandoc has no complaint, and the
shells complete what --help lists. And recipes of other packages, as far as they can be read here."""
import ast
import gzip
import pathlib
import re
import subprocess
import sys
import tempfile

TREE = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True    # nothing is left in the source tree
sys.path.insert(0, str(TREE / "scripts"))
from tool_help import Tool  # noqa: E402


class Session:
    def __init__(self, mpiskel, directory):
        ask(sys.executable, "-B", TREE / "scripts/installed-pages", mpiskel, directory)
        self.tool, self.share = Tool(mpiskel), pathlib.Path(directory)


def ask(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode:
        raise SystemExit(f"FAILED: {command}: exit code {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def expect(is_so, text):
    if not is_so:
        raise SystemExit(f"FAILED: {text}")


def manual(share):
    return sorted((share / "man/man1").glob("*.1.gz"))


def case_each_command_has_a_page_that_man_renders(pages):
    names = {page.name.removesuffix(".1.gz") for page in manual(pages.share)}
    expect(names == {"mpiskel", *(f"mpiskel-{name}" for name in pages.tool.commands)}, f"pages: {names}")
    for page in manual(pages.share):
        text = ask("man", "--warnings=w", "-l", page, env={"MANWIDTH": "100", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"})
        for heading in ("NAME", "SYNOPSIS", "DESCRIPTION"):
            expect(heading in text, f"{page.name} lacks {heading}")
    run = ask("man", "-l", pages.share / "man/man1/mpiskel-run.1.gz", env={"MANWIDTH": "100", "PATH": "/usr/bin:/bin"})
    for option in pages.tool.help("run").options:
        expect(option.spelling in run.replace("‐", "-"), f"mpiskel-run.1 lacks {option.spelling}")


def case_mandoc_has_no_complaint(pages):
    for page in manual(pages.share):
        text = pages.share / page.stem
        text.write_bytes(gzip.decompress(page.read_bytes()))
        ask("mandoc", "-Tlint", text)


# What is typed, and what is offered for it (of all that is).
WANTED = (("mpiskel ver", {"verify"}), ("mpiskel run --att", {"--attribute"}),
          ("mpiskel run --format ", {"text", "json", "csv"}), ("mpiskel trace ", {"info", "convert"}),
          ("mpiskel run --network ", {"summit", "ideal", "k-computer"}), ("mpiskel platform ", {"summit"}),
          ("mpiskel help fi", {"fit"}), ("mpiskel fit ", {"heat.skel"}))


def check_shell(complete, share):
    with tempfile.TemporaryDirectory() as work:
        pathlib.Path(work, "heat.skel").mkdir()
        pathlib.Path(work, "notes.txt").touch()
        for typed, wanted in WANTED:
            offered = {word.rstrip("/") for word in complete(typed, share, work)}
            expect(wanted <= offered, f"`{typed}` offers {sorted(offered)}, not {sorted(wanted)}")
            prefix = typed.split(" ")[-1]
            expect(all(word.startswith(prefix) for word in offered), f"`{typed}` offers {sorted(offered)}")


def in_bash(typed, share, work):
    words = typed.split(" ")
    listed = " ".join(f"'{word}'" for word in words)
    return ask("bash", "--norc", "-c", f"source {share}/bash-completion/completions/mpiskel; COMP_WORDS=({listed}); "
               f"COMP_CWORD={len(words) - 1}; _mpiskel; printf '%s\\n' \"${{COMPREPLY[@]}}\"", cwd=work).split()


# A shell on a terminal of its own, which lists what it would complete; _complete_help's data is not for programs.
ZSH = r"""
import os, pty, re, select, sys, time
share, typed = sys.argv[1:]
pid, fd = pty.fork()
if pid == 0:
    os.execvp("zsh", ["zsh", "-f", "-i"])
def read(until, seconds=60):
    text, end = b"", time.monotonic() + seconds
    while until not in text and time.monotonic() < end:
        if select.select([fd], [], [], 0.2)[0]:
            text += os.read(fd, 65536)
    return text
os.write(fd, f'''PS1= ; unsetopt zle_bracketed_paste prompt_cr prompt_sp 2>/dev/null
fpath=({share}/zsh/site-functions $fpath); autoload -Uz compinit && compinit -D -u
compadd () {{ builtin compadd -O found "$@" 2>/dev/null; (( $#found )) && print -rl -- FOUND:$^found; builtin compadd "$@" }}
list () {{ _main_complete; print -r -- DO""NE; compstate[insert]= ; compstate[list]= }}
zle -C list complete-word list; bindkey '^T' list
print REA""DY
'''.encode())
read(b"READY")
os.write(fd, typed.encode() + b"\x14")
text = read(b"DONE").decode(errors="replace")
os.close(fd)
print("\n".join(re.findall(r"FOUND:([^\r\n]*)", text)))
"""


def in_zsh(typed, share, work):
    return ask(sys.executable, "-c", ZSH, share, typed, cwd=work, env={"PATH": "/usr/bin:/bin", "TERM": "dumb", "LC_ALL": "C.UTF-8", "HOME": work}).split()


def in_fish(typed, share, work):
    text = ask("fish", "--no-config", "-c", f"source {share}/fish/vendor_completions.d/mpiskel.fish; complete -C '{typed}'",
               cwd=work, env={"PATH": "/usr/bin:/bin", "HOME": work, "LC_ALL": "C.UTF-8", "TERM": "dumb"})
    return [line.split("\t")[0] for line in text.splitlines()]


def case_bash_completes(pages):
    check_shell(in_bash, pages.share)


def case_zsh_completes(pages):
    check_shell(in_zsh, pages.share)


def case_fish_completes(pages):
    check_shell(in_fish, pages.share)


def case_recipes_can_be_read(pages):
    """Spack's is Python that says a class of CMake's packages with a version; the Containerfile's instructions are
    such, and what it starts or copies of the tree is there."""
    recipe = ast.parse((TREE / "packaging/spack/packages/mpiskel/package.py").read_text())
    package = [node for node in recipe.body if isinstance(node, ast.ClassDef)]
    expect([node.name for node in package] == ["Mpiskel"] and package[0].bases[0].id == "CMakePackage", "Spack's class")
    calls = [getattr(node.value.func, "id", "") for node in ast.walk(package[0]) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    expect("version" in calls and calls.count("depends_on") > 5, f"Spack's directives: {calls}")
    text = (TREE / "packaging/Containerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    words = {line.split()[0] for line in lines}
    expect(words <= {"FROM", "COPY", "WORKDIR", "RUN", "USER", "CMD"} and lines[0].startswith("FROM "), f"instructions: {words}")
    for script in re.findall(r"\bscripts/[a-z-]+", text):
        expect((TREE / script).is_file(), f"the Containerfile starts {script}, which is not there")
    for preset in re.findall(r"--preset (\w+)", text):
        expect(f'"name": "{preset}"' in (TREE / "CMakePresets.json").read_text(), f"there is no preset {preset}")
