# SPDX-License-Identifier: Apache-2.0
"""Programs of csmith with MPI calls sprinkled into their functions: write(seed) gives (files, arguments).

csmith's programs are the same on all ranks, so everything in them is known to all. Behind statements of
its functions come calls of a few helpers (HELPERS) that send: counts, tags, roots and peers are csmith's
variables, masked. A variable may also go through a message and come back with the value that it had: the
root's is broadcast while the others hold something else, or it travels around the ring. So the program
computes what it did, but what steers it comes from messages. Payload differs between ranks.

csmith's own functions (guarded arithmetic, checksum) are taken out of its headers, those that the program
calls, so that they are part of the program: functions without source would be kept with all that
reaches them.

Nothing here may change what csmith's variables hold, or the guards that it put around its arithmetic
would no longer protect it."""
import functools
import random
import re
import resource
import subprocess
import tempfile

HEADERS = "/usr/include/csmith"
OPTIONS = ("--no-packed-struct --no-volatiles --no-argc --no-dangling-global-pointers --max-funcs 4 "
           "--max-block-depth 3 --max-block-size 4 --max-expr-complexity 5 --max-array-dim 2 "
           "--max-array-len-per-dim 5").split()
MOST_CALLS = 25  # written; how often they are executed is bounded by FUEL
INTEGER = re.compile(r"\s+(u?int(?:8|16|32|64)_t) ([gl]_\d+) = [^*;]*;$")
STATIC = re.compile(r"static (u?int(?:8|16|32|64)_t) (g_\d+) = [^;]*;$")
ARRAY = re.compile(r"static (u?int(?:8|16|32|64)_t) (g_\d+)((?:\[\d+\])+) = .*;$")

HELPERS = """
#include <mpi.h>
static int fz_rank, fz_size, fz_fuel = 400;
static double fz_out[64], fz_in[64];
struct fz_note { double weight; int count; struct fz_note *next; };
static struct fz_note fz_notes[4];

static void fz_work(int n) {
    for (int i = 0; i < 64; i++)
        fz_out[i] = fz_out[i] * 0.5 + fz_in[(i + n) & 63] + fz_rank;
}

static int fz_more(void) {
    return fz_fuel > 0 && fz_fuel-- > 0;
}

static void fz_collective(long long what, long long n) {
    int count = (int)(n & 15), root = (int)((n >> 2) & 1023) % fz_size;
    if (!fz_more())
        return;
    switch (what & 7) {
    case 0: MPI_Bcast(fz_out, count, MPI_DOUBLE, root, MPI_COMM_WORLD); break;
    case 1: MPI_Reduce(fz_out, fz_in, count, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD); break;
    case 2: MPI_Allreduce(fz_out, fz_in, count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); break;
    case 3: MPI_Allgather(fz_out, count & 7, MPI_DOUBLE, fz_in, count & 7, MPI_DOUBLE, MPI_COMM_WORLD); break;
    case 4: MPI_Scan(fz_out, fz_in, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); break;
    case 5: MPI_Alltoall(fz_out, count & 7, MPI_DOUBLE, fz_in, count & 7, MPI_DOUBLE, MPI_COMM_WORLD); /* fall through */
    default: MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void fz_ring(long long n, long long tag, long long distance) {
    int d = (int)(distance & 7);
    if (!fz_more())
        return;
    fz_work((int)(n & 63));
    MPI_Sendrecv(fz_out, (int)(n & 31), MPI_DOUBLE, (fz_rank + d) % fz_size, (int)(tag & 1023), fz_in, 32, MPI_DOUBLE,
                 (fz_rank + fz_size - d % fz_size) % fz_size, (int)(tag & 1023), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static long long fz_agree(long long value, long long by) {
    int root = (int)(by & 1023) % fz_size;
    long long said = fz_rank == root ? value : fz_rank;
    if (!fz_more())
        return value;
    MPI_Bcast(&said, 1, MPI_LONG_LONG, root, MPI_COMM_WORLD);
    return said;
}

static long long fz_pass_on(long long value, long long tag) {
    long long got = -1, sent = value;
    MPI_Request r[2];
    if (!fz_more())
        return value;
    MPI_Irecv(&got, 1, MPI_LONG_LONG, (fz_rank + fz_size - 1) % fz_size, (int)(tag & 255), MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&sent, 1, MPI_LONG_LONG, (fz_rank + 1) % fz_size, (int)(tag & 255), MPI_COMM_WORLD, &r[1]);
    fz_work(3);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    return got;
}

static void fz_send(void *out, void *in, int n, MPI_Datatype type, int tag) {
    MPI_Sendrecv(out, n, type, (fz_rank + 1) % fz_size, tag, in, n, type, (fz_rank + fz_size - 1) % fz_size, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static long long fz_wrapped(long long value, long long n) {
    long long got[1] = {0}, sent[1] = {value};
    if (!fz_more())
        return value;
    fz_send(fz_out, fz_in, (int)(n & 15), MPI_DOUBLE, 5);
    fz_send(sent, got, 1, MPI_LONG_LONG, 6);
    return got[0];
}

static void fz_split(long long colour, long long n) {
    MPI_Comm part;
    int rank;
    if (!fz_more())
        return;
    MPI_Comm_split(MPI_COMM_WORLD, (int)((colour + fz_rank) & 1), 0, &part);
    MPI_Comm_rank(part, &rank);
    fz_notes[n & 3].count = (int)(n & 31);
    fz_notes[n & 3].weight = n * 0.5;
    fz_notes[n & 3].next = &fz_notes[rank & 3];
    for (int i = 0; i < (colour & 3); i++)
        MPI_Bcast(fz_out, fz_notes[n & 3].count, MPI_DOUBLE, 0, part);
    MPI_Comm_free(&part);
}

static int fz_count(long long n) {
    MPI_Status status;
    int got = 0, t = (int)(n & 31);
    if (!fz_more())
        return t;
    MPI_Sendrecv(fz_out, t, MPI_DOUBLE, (fz_rank + 1) % fz_size, t, fz_in, 64, MPI_DOUBLE,
                 (fz_rank + fz_size - 1) % fz_size, t, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &got);
    return got;
}
"""
START = """    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &fz_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &fz_size);
"""


def call(rng, names):
    """One statement; `names` are csmith's integers in scope, as (type, lvalue)."""
    def value():
        return f"(long long){rng.choice(names)[1]}" if rng.randrange(8) else str(rng.randrange(32))
    choice = rng.randrange(10)
    if choice < 2:
        return f"fz_collective({value()}, {value()});"
    if choice < 4:
        return f"fz_ring({value()}, {value()} ^ {value()}, {value()});"
    if choice == 4:
        return f"fz_split({value()}, {value()});"
    if choice == 5:
        return f"fz_ring(fz_count({value()}), {value()}, 1);"
    if choice == 6:
        return f"if ({value()} & 1)\n    fz_collective({value()}, 7);\nelse\n    fz_work({value()} & 63);"
    helper = rng.choice(("fz_agree", "fz_pass_on", "fz_wrapped"))
    ctype, name = rng.choice(names)
    return f"{name} = ({ctype}){helper}((long long){name}, {value()});"


def globals_of(lines):
    names = []
    for line in lines:
        match = STATIC.match(line)
        if match:
            names.append((match.group(1), match.group(2)))
        match = ARRAY.match(line)
        if match:
            names.append((match.group(1), match.group(2) + re.sub(r"\d+", "0", match.group(3))))
    return names


def places(lines):
    """(index, indent, integers in scope) of the ends of statements that something may follow."""
    found, scopes, known = [], [], globals_of(lines)
    inside = False
    for i, line in enumerate(lines[:-1]):
        text = line.strip()
        inside = inside or text.startswith("{ /* block id: 0 */") or bool(re.match(r"\{ /\* block id", line))
        if not inside:
            continue
        if text.startswith("{"):
            scopes.append([])
        elif text == "}":
            scopes.pop()
            inside = bool(scopes)
        match = INTEGER.match(line)
        if match and scopes:
            scopes[-1].append((match.group(1), match.group(2)))
        indent = len(line) - len(line.lstrip())
        follows = lines[i + 1].strip()
        after = scopes and (text.endswith(";") or text == "}") and 4 * len(scopes) == indent and \
            not text.startswith(("return", "goto", "break", "continue")) and not follows.startswith(("else", "}"))
        if after and not lines[i - 1].strip().startswith(("if", "for", "else")):
            found.append((i, indent, known + [name for scope in scopes for name in scope]))
    return found


def sprinkle(text, seed):
    rng = random.Random(seed)
    lines = text.split("\n")
    main = next(i for i, line in enumerate(lines) if line.startswith("int main"))
    spots = [place for place in places(lines[:main]) if place[2]]
    chosen = sorted(rng.sample(spots, min(MOST_CALLS, len(spots))), reverse=True)
    for i, indent, names in chosen:
        lines[i + 1:i + 1] = [" " * indent + line for line in call(rng, names).split("\n")]
    text = "\n".join(lines)
    text = text.replace('#include "csmith.h"\n', '#include "csmith.h"\n' + HELPERS, 1)
    text = text.replace("    platform_main_begin();\n", START + "    platform_main_begin();\n", 1)
    return text.replace("    platform_main_end(", "    MPI_Finalize();\n    platform_main_end(", 1)


@functools.lru_cache
def library():
    """Text of csmith's functions by name, the checksum's variables under the name ''."""
    done = subprocess.run(["gcc", "-E", "-P", "-I" + HEADERS, "-include", "csmith.h", "-"], input="", capture_output=True,
                          text=True, check=True)
    text = done.stdout
    functions = {"": "\n".join(re.findall(r"^static uint32_t crc32_\w+(?:\[256\])?[^(;]*;", text, re.M))}
    head = re.compile(r"^static [a-z0-9_ ]+?\s*\(?((?:safe|crc32|transparent|platform)_\w+)\)?\s*\([^;{]*\)\s*\{.*?^\}$", re.M | re.S)
    for match in head.finditer(text):
        functions[match.group(1)] = match.group(0)
    return functions


def runtime(text):
    """The header with what the program calls, in the order of csmith's own."""
    needed, functions = {""}, library()
    waiting = [text]
    while waiting:
        names = set(re.findall(r"\w+", waiting.pop())) & functions.keys() - needed
        needed |= names
        waiting += [functions[name] for name in sorted(names)]
    parts = [body for name, body in functions.items() if name in needed]
    return "#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n\n" + "\n\n".join(parts) + "\n"


def terminates(text, directory):
    """A fifth of csmith's programs run for ever; a few do not even compile."""
    path = f"{directory}/plain"
    with open(path + ".c", "w", encoding="utf-8") as file:
        file.write(text)
    compiled = subprocess.run(["gcc", "-w", "-O0", "-I" + HEADERS, path + ".c", "-o", path], capture_output=True, check=False)
    if compiled.returncode != 0:
        return False
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    return subprocess.run([path], stdout=subprocess.DEVNULL, preexec_fn=limit, check=False).returncode == 0


def plain_program(seed):
    """The first program for this seed that ends, or None."""
    with tempfile.TemporaryDirectory(prefix="csmith-") as directory:  # csmith leaves a file where it runs
        for attempt in range(5):
            command = ["csmith", "--seed", str(seed + 1000000 * attempt)] + OPTIONS
            try:
                done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=600, check=True)
            except subprocess.TimeoutExpired:
                continue
            if terminates(done.stdout, directory):
                return done.stdout
    return None


def write(seed):
    text = plain_program(seed)
    if text is None:
        return None
    text = sprinkle(text, seed)
    return {"main.c": text, "csmith.h": runtime(text)}, []
