# SPDX-License-Identifier: Apache-2.0
"""What a function really executed: callgrind counts each instruction, objdump says what it is.

Loads and stores are those of instructions whose memory operand is neither on the stack nor a
constant of the program: without optimisation, locals are on the stack and nowhere else. Floating
operations are the scalar instructions of SSE2. Both are facts of x86-64 and gcc -O0 -mno-fma."""
import os
import re
import subprocess

KINDS = {"addsd": "add", "subsd": "add", "mulsd": "multiply", "divsd": "divide",
         "sqrtsd": "square_root"}
# Instructions that only compute an address, or change no memory operand's contents.
NO_ACCESS = ("lea", "nop", "call", "jmp", "prefetch")
# Their memory operand, as the last one in AT&T syntax, is read only.
READ_ONLY = ("cmp", "test", "ucomis", "comis", "push", "idiv", "div", "mul", "imul")


def instructions(program):
    """address -> (mnemonic, operands)"""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", program], check=True,
                          capture_output=True, text=True).stdout
    found = {}
    for match in re.finditer(r"^\s+([0-9a-f]+):\s+(\S+)[ \t]*([^\n#<]*)", text, re.M):
        found[int(match[1], 16)] = (match[2], match[3].strip())
    return found


def executions(program, arguments, function):
    """address -> how often it was executed within the function and what it calls"""
    out = program + ".callgrind"
    subprocess.run(["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no",
                    "--compress-strings=no", f"--toggle-collect={function}", "--error-exitcode=9",
                    f"--callgrind-out-file={out}", program] + arguments,
                   check=True, capture_output=True, text=True, cwd=os.path.dirname(program))
    counts, base, inside, skip = {}, os.path.basename(program), False, False
    with open(out, encoding="utf-8") as file:
        for line in file:
            if line.startswith(("ob=",)):
                inside = line.strip().endswith("/" + base)
            elif line.startswith("calls="):
                skip = True  # the next line is inclusive
            elif re.match(r"0x[0-9a-f]+ \d+ \d+", line):
                address, _, count = line.split()
                if inside and not skip:
                    counts[int(address, 16)] = counts.get(int(address, 16), 0) + int(count)
                skip = False
    return counts


def memory_operand(operands):
    match = re.search(r"(-?(?:0x)?[0-9a-f]*)\((%\w+)?(?:,(%\w+))?(?:,\d)?\)", operands)
    return match and match[2]


def accesses(mnemonic, operands):
    """(loads, stores) of memory that is no local"""
    base = memory_operand(operands)
    if base in (None, "%rbp", "%rsp", "%rip") or mnemonic.startswith(NO_ACCESS):
        return 0, 0
    is_last = operands.rstrip().endswith(")")
    if not is_last or mnemonic.startswith(READ_ONLY):
        return 1, 0
    is_move = mnemonic.startswith("mov")
    return (0, 1) if is_move else (1, 1)


def count(program, arguments, function):
    """add, multiply, divide, square_root, loads, stores that the function executed"""
    code = instructions(program)
    found = dict.fromkeys(("add", "multiply", "divide", "square_root", "loads", "stores"), 0)
    executed = executions(program, arguments, function)
    if not executed:
        raise RuntimeError(f"callgrind saw nothing of {function}")
    bases = [address - min(executed) for address in executed]
    assert min(bases) >= 0
    for address, times in executed.items():
        mnemonic, operands = code[address]
        if mnemonic in KINDS:
            found[KINDS[mnemonic]] += times
        loads, stores = accesses(mnemonic, operands)
        found["loads"] += loads * times
        found["stores"] += stores * times
    return found
