# SPDX-License-Identifier: Apache-2.0
"""Messages of payload. Counts, tags, roots, peers and types come from integers; buffers are sent from the
lower half of an array and received into an upper half, so that they never overlap; there are at most 8
ranks. All of it needs UNIFORM control, and is matched whatever the number of ranks."""
from hpc.control import braced, indent
from hpc.maker import LOCAL, UNIFORM, Communicator, N, Place

HALF = N // 2
MOST_MESSAGES = 250  # of one function, on each rank


def message(production, calls=1):
    """Wraps a production: only where messages may be, with its calls counted."""
    def guarded(m):
        if m.in_pure or m.quiet or m.level != UNIFORM or m.messages + calls * m.weight > MOST_MESSAGES:
            return None
        lines = production(m, m.communicator())
        if lines:
            m.messages += calls * m.weight
        return lines
    guarded.__name__ = production.__name__
    return guarded


def count(m, most=15, level=UNIFORM):
    return f"1 + (({m.expression(level)}) & {most})"


def tag(m):
    return f"({m.expression(UNIFORM)}) & 1023" if m.chance(80) else str(m.rng.randrange(100))


def root(m, c):
    return f"(({m.expression(UNIFORM, 1)}) & 1023) % {c.size}" if m.chance(60) else "0"


def neighbours(m, c):
    """Destination and source of a ring exchange."""
    if m.chance(25):
        return f"({c.rank} ^ 1) < {c.size} ? ({c.rank} ^ 1) : MPI_PROC_NULL", \
            f"({c.rank} ^ 1) < {c.size} ? ({c.rank} ^ 1) : MPI_PROC_NULL"
    d = "1" if m.chance(50) else f"(({m.expression(UNIFORM, 1)}) & 1023)"
    return f"({c.rank} + {d}) % {c.size}", f"({c.rank} + {c.size} - {d} % {c.size}) % {c.size}"


def ring(m, c):
    to, source = neighbours(m, c)
    t, x, y = tag(m), m.payload(), m.payload()
    status = m.name("status")
    use_status = m.chance(40)
    lines = [f"MPI_Sendrecv({x}, {count(m)}, MPI_DOUBLE, {to}, {t}, {y} + {HALF}, 16, MPI_DOUBLE, {source}, {t}, {c.text},",
             f"             {'&' + status if use_status else 'MPI_STATUS_IGNORE'});"]
    if not use_status:
        return lines
    got = m.name("got")
    m.scope.places.append(Place(got, "int", LOCAL, m.life))
    return [f"MPI_Status {status};", f"int {got} = 0;"] + lines + \
        [f"MPI_Get_count(&{status}, MPI_DOUBLE, &{got});", f"{got} &= 1023;"]


def replace(m, c):
    to, source = neighbours(m, c)
    t = tag(m)
    return [f"MPI_Sendrecv_replace({m.payload()}, {count(m)}, MPI_DOUBLE, {to}, {t}, {source}, {t}, {c.text}, MPI_STATUS_IGNORE);"]


def ordered(m, c):
    """Even ranks send first, odd ones receive first; counts may be LOCAL."""
    t, n, x, y = tag(m), m.name("n"), m.payload(), m.payload()
    send = f"MPI_Send({x}, {n}, MPI_DOUBLE, ({c.rank} + 1) % {c.size}, {t}, {c.text});"
    receive = f"MPI_Recv({y} + {HALF}, 16, MPI_DOUBLE, ({c.rank} + {c.size} - 1) % {c.size}, {t}, {c.text}, MPI_STATUS_IGNORE);"
    return [f"int {n} = {count(m, level=LOCAL)};"] + \
        braced(f"if ({c.size} > 1 && {c.rank} % 2 == 0)", [send, receive]) + \
        braced(f"else if ({c.size} > 1)", [receive, send])


def probed(m, c):
    """The receiver learns the length from a probe; what it learns is LOCAL."""
    place = m.target(LOCAL)
    t, x, y = tag(m), m.payload(), m.payload()
    source = m.pick(("0", "0", "MPI_ANY_SOURCE"))
    learn = [m.store(place, "length")] if place else []
    inner = ["MPI_Status status;", "int length;", f"MPI_Probe({source}, {t}, {c.text}, &status);",
             "MPI_Get_count(&status, MPI_DOUBLE, &length);",
             f"MPI_Recv({y} + {HALF}, length, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, {c.text}, MPI_STATUS_IGNORE);"] + learn
    i = m.name("i")
    return braced(f"if ({c.rank} == 0)", [f"for (int {i} = 1; {i} < {c.size}; {i}++)",
                  f"    MPI_Send({x}, (({m.expression(LOCAL, 1)}) + {i}) & 15, MPI_DOUBLE, {i}, {t}, {c.text});"]) + \
        braced("else", inner)


def requests(m, c):
    """Both directions at once, with work in between."""
    r, out, inn, i = m.name("r"), m.name("out"), m.name("in"), m.name("i")
    to, source = neighbours(m, c)
    held = [f"int {r}_to = {to}, {r}_from = {source}, {r}_tag = {tag(m)};"]  # what comes in between may change them
    to, source, t, n = f"{r}_to", f"{r}_from", f"{r}_tag", count(m)
    first = f"MPI_Irecv({inn}, 16, MPI_DOUBLE, {source}, {t}, {c.text}, &{r}[0]);"
    second = f"MPI_Isend({out}, {n}, MPI_DOUBLE, {to}, {t}, {c.text}, &{r}[1]);"
    if m.chance(30):
        first, second = second.replace("[1]", "[0]"), first.replace("[0]", "[1]")
    lines = held + [f"MPI_Request {r}[2];", f"double {out}[16], {inn}[16] = {{0}};", f"for (int {i} = 0; {i} < 16; {i}++)",
             f"    {out}[{i}] = {m.real(i)};", first]
    m.quiet = True  # a message in between could be taken for this one
    lines += m.some(2) + [second]
    m.quiet = False
    form = m.rng.randrange(3)
    if form == 0:
        lines += [f"MPI_Waitall(2, {r}, MPI_STATUSES_IGNORE);"]
    elif form == 1:
        lines += [f"MPI_Wait(&{r}[1], MPI_STATUS_IGNORE);", f"MPI_Wait(&{r}[0], MPI_STATUS_IGNORE);"]
    else:
        lines += [f"for (int {i} = 0; {i} < 2; {i}++)", f"    MPI_Wait({r} + {i}, MPI_STATUS_IGNORE);"]
    lines += [f"for (int {i} = 0; {i} < 16; {i}++)", f"    {m.payload()}[{i}] += {inn}[{i}];"]
    return lines


def persistent(m, c):
    to, source = f"({c.rank} + 1) % {c.size}", f"({c.rank} + {c.size} - 1) % {c.size}"  # SimGrid 3.32 aborts for MPI_PROC_NULL
    t, i = tag(m), m.name("i")
    x, y = m.payload(), m.payload()
    return ["{"] + indent(
        ["MPI_Request pair[2];", f"MPI_Send_init({x}, {count(m)}, MPI_DOUBLE, {to}, {t}, {c.text}, &pair[0]);",
         f"MPI_Recv_init({y} + {HALF}, 16, MPI_DOUBLE, {source}, {t}, {c.text}, &pair[1]);"] +
        braced(f"for (int {i} = 0; {i} < (({m.expression(UNIFORM, 1)}) & 3); {i}++)",
               [m.pick(("MPI_Startall(2, pair);", "MPI_Start(&pair[1]);\n    MPI_Start(&pair[0]);")),
                "MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);", f"MPI_Barrier({c.text});",  # else SimGrid 3.32 may lose one
                f"{x}[{i}] += {m.real()};"]) +
        ["MPI_Request_free(&pair[0]);", "MPI_Request_free(&pair[1]);"]) + ["}"]


def collective(m, c):
    x, y = m.payload(), m.payload() + f" + {HALF}"
    n, few = count(m), count(m, 3)
    operation = m.pick(("MPI_SUM", "MPI_MAX", "MPI_MIN"))
    forms = (
        lambda: f"MPI_Bcast({x}, {n}, MPI_DOUBLE, {root(m, c)}, {c.text});",
        lambda: f"MPI_Reduce({x}, {y}, {n}, MPI_DOUBLE, {operation}, {root(m, c)}, {c.text});",
        lambda: f"MPI_Allreduce({x}, {y}, {n}, MPI_DOUBLE, {operation}, {c.text});",
        lambda: f"MPI_Allreduce(MPI_IN_PLACE, {x}, {n}, MPI_DOUBLE, {operation}, {c.text});",
        lambda: f"MPI_Scan({x}, {y}, {n}, MPI_DOUBLE, {operation}, {c.text});",
        lambda: f"MPI_Exscan({x}, {y}, {n}, MPI_DOUBLE, {operation}, {c.text});",
        lambda: f"MPI_Barrier({c.text});",
        lambda: same(f"MPI_Gather({x}, COUNT, MPI_DOUBLE, {y}, COUNT, MPI_DOUBLE, {root(m, c)}, {c.text});", few),
        lambda: same(f"MPI_Allgather({x}, COUNT, MPI_DOUBLE, {y}, COUNT, MPI_DOUBLE, {c.text});", few),
        lambda: same(f"MPI_Scatter({x}, COUNT, MPI_DOUBLE, {y}, COUNT, MPI_DOUBLE, {root(m, c)}, {c.text});", few),
        lambda: same(f"MPI_Alltoall({x}, COUNT, MPI_DOUBLE, {y}, COUNT, MPI_DOUBLE, {c.text});", few),
        lambda: f"MPI_Reduce_scatter_block({x}, {y}, {few}, MPI_DOUBLE, {operation}, {c.text});",
    )
    return [m.pick(forms)()]


def same(text, n):
    return text.replace("COUNT", n)


def nonblocking_collective(m, c):
    x, y = m.payload(), m.payload() + f" + {HALF}"
    call = m.pick((f"MPI_Ibcast({x}, {count(m)}, MPI_DOUBLE, {root(m, c)}, {c.text}, &request);",
                   f"MPI_Iallreduce({x}, {y}, {count(m)}, MPI_DOUBLE, MPI_SUM, {c.text}, &request);",
                   f"MPI_Ibarrier({c.text}, &request);"))
    return ["{"] + indent(["MPI_Request request;", call, "MPI_Wait(&request, MPI_STATUS_IGNORE);"]) + ["}"]


def varying_counts(m, c):
    """Counts are LOCAL and told to the others first."""
    x, y, i = m.payload(), m.payload(), m.name("i")
    mine = f"({m.expression(LOCAL)}) & 3"
    prefix = braced(f"for (int {i} = 1; {i} < {c.size}; {i}++)", [f"at[{i}] = at[{i} - 1] + counts[{i} - 1];"])
    if m.chance(50):
        call = m.pick((f"MPI_Allgatherv({x}, mine, MPI_DOUBLE, {y} + {HALF}, counts, at, MPI_DOUBLE, {c.text});",
                       f"MPI_Gatherv({x}, mine, MPI_DOUBLE, {y} + {HALF}, counts, at, MPI_DOUBLE, {root(m, c)}, {c.text});"))
        return ["{"] + indent([f"int mine = {mine}, counts[8] = {{0}}, at[8] = {{0}};",
                               f"MPI_Allgather(&mine, 1, MPI_INT, counts, 1, MPI_INT, {c.text});"] + prefix + [call]) + ["}"]
    fill = [f"for (int {i} = 0; {i} < {c.size}; {i}++)", f"    to[{i}] = (({m.expression(LOCAL, 1)}) + {i}) & 3;"]
    both = [line.replace("counts", "to").replace("at[", "to_at[") for line in prefix]
    return ["{"] + indent(["int to[8] = {0}, to_at[8] = {0}, counts[8] = {0}, at[8] = {0};"] + fill +
                          [f"MPI_Alltoall(to, 1, MPI_INT, counts, 1, MPI_INT, {c.text});"] + prefix + both +
                          [f"MPI_Alltoallv({x}, to, to_at, MPI_DOUBLE, {y} + {HALF}, counts, at, MPI_DOUBLE, {c.text});"]) + ["}"]


def derived_types(m, c):
    to, source = neighbours(m, c)
    t = tag(m)
    make = m.pick((f"MPI_Type_vector(1 + (({m.expression(UNIFORM, 1)}) & 3), 1 + (({m.expression(UNIFORM, 1)}) & 1), 4, MPI_DOUBLE, &type);",
                   f"MPI_Type_contiguous({count(m, 7)}, MPI_DOUBLE, &type);",
                   "MPI_Type_indexed(2, lengths, places, MPI_DOUBLE, &type);"))
    data = [f"int lengths[2] = {{1 + (({m.expression(UNIFORM, 1)}) & 3), 1}}, places[2] = {{0, 5 + (({m.expression(UNIFORM, 1)}) & 3)}};"] \
        if "indexed" in make else []
    return ["{"] + indent(["MPI_Datatype type;"] + data +
                          [make, "MPI_Type_commit(&type);",
                           f"MPI_Sendrecv({m.payload()}, 1, type, {to}, {t}, {m.payload()} + {HALF}, 1, type, {source}, {t}, {c.text}, MPI_STATUS_IGNORE);",
                           "MPI_Type_free(&type);"]) + ["}"]


def split(m, c):
    """A block that works in a part of the communicator. Ranks that agree on the colour stay together."""
    if m.depth > 3:
        return None
    name = m.name("part")
    colour = f"({m.expression(LOCAL, 1)}) & {m.pick((1, 3))}"
    with m.block(weight=1):
        rank, size = f"{name}_rank", f"{name}_size"
        m.scope.communicators.append(Communicator(name, rank, size, False))
        m.scope.constants += [(rank, LOCAL), (size, LOCAL)]
        head = [f"MPI_Comm {name};", f"int {rank}, {size};",
                f"MPI_Comm_split({c.text}, {colour}, {m.pick((c.rank, '-' + c.rank, '0'))}, &{name});",
                f"MPI_Comm_rank({name}, &{rank});", f"MPI_Comm_size({name}, &{size});"]
        lines = head + m.some(4) + [f"MPI_Comm_free(&{name});"]
    return ["{"] + indent(lines) + ["}"]


def duplicate(m, c):
    name = m.name("copy")
    with m.block():
        m.scope.communicators.append(Communicator(name, c.rank, c.size, c.world))
        lines = [f"MPI_Comm {name};", f"MPI_Comm_dup({c.text}, &{name});"] + m.some(3) + [f"MPI_Comm_free(&{name});"]
    return ["{"] + indent(lines) + ["}"]


def grid(m, c):
    t = tag(m)
    return ["{"] + indent(
        ["MPI_Comm grid;", "int dims[2] = {0, 0}, periods[2] = {" + f"({m.expression(UNIFORM, 1)}) & 1, 1" + "}, left, right;",
         f"MPI_Dims_create({c.size}, 2, dims);", f"MPI_Cart_create({c.text}, 2, dims, periods, 0, &grid);",
         f"MPI_Cart_shift(grid, ({m.expression(UNIFORM, 1)}) & 1, 1, &left, &right);",
         f"MPI_Sendrecv({m.payload()}, {count(m)}, MPI_DOUBLE, right, {t}, {m.payload()} + {HALF}, 16, MPI_DOUBLE, left, {t}, grid, MPI_STATUS_IGNORE);",
         "MPI_Comm_free(&grid);"]) + ["}"]


def master(m, c):
    """Rank 0 hands out work; what a worker gets decides what it sends back. Every worker is asked in turn."""
    t, w, x = tag(m), m.name("w"), m.payload()
    lines = ["{", f"    int task = 0, {w};"] + indent(
        braced(f"if ({c.rank} == 0)", braced(f"for ({w} = 1; {w} < {c.size}; {w}++)",
               [f"task = (({m.expression(LOCAL, 1)}) + {w}) & 15;",
                f"MPI_Send(&task, 1, MPI_INT, {w}, {t}, {c.text});",
                f"MPI_Recv({x} + {HALF}, 16, MPI_DOUBLE, {w}, {t}, {c.text}, MPI_STATUS_IGNORE);"])) +
        braced("else", [f"MPI_Recv(&task, 1, MPI_INT, 0, {t}, {c.text}, MPI_STATUS_IGNORE);",
                        f"for ({w} = 0; {w} < task; {w}++)", f"    {x}[{w}] = {m.real(w)};",
                        f"MPI_Send({x}, task, MPI_DOUBLE, 0, {t}, {c.text});"])) + ["}"]
    return lines


def call_exchange(m, c):
    functions = [f for f in m.affordable(m.exchanges) if m.messages + f.messages * m.weight <= MOST_MESSAGES
                 and (c.world or not f.world)]
    records = [r for r in m.scope.records if r.level == UNIFORM and r.kind == m.passed_kind]
    if not functions or not records:
        return None
    f = m.pick(functions)
    m.charge(f.cost)
    m.messages += f.messages * m.weight
    call = f"{f.name}({c.text}, {c.rank}, {c.size}, {m.payload()}, ({m.expression(UNIFORM)}) & 1023, &{m.pick(records).text})"
    place = m.target(UNIFORM if f.world else LOCAL)
    if place is None or m.chance(30):
        return [call + ";"]
    return [m.store(place, call)]


def call_helper(m, c):
    """One wrapper for payload and for control data alike."""
    wrapper = m.need("swap_with", "static void swap_with(void *out, void *in, int n, MPI_Datatype type, int to, int from, int tag, "
                     "MPI_Comm comm) {\n    MPI_Sendrecv(out, n, type, to, tag, in, 16, type, from, tag, comm, MPI_STATUS_IGNORE);\n}")
    to, source = neighbours(m, c)
    if m.chance(60):
        return [f"{wrapper}({m.payload()}, {m.payload()} + {HALF}, {count(m)}, MPI_DOUBLE, {to}, {source}, {tag(m)}, {c.text});"]
    place = m.target(LOCAL)
    if place is None:
        return None
    return ["{"] + indent([f"int told[1] = {{({m.expression(LOCAL)}) & 1023}}, heard[16] = {{0}};",
                           f"{wrapper}(told, heard, 1, MPI_INT, {to}, {source}, {tag(m)}, {c.text});",
                           m.store(place, "heard[0]")]) + ["}"]


def tree(m, c):
    """Messages from within a recursion."""
    f = m.need("descend", "static void descend(MPI_Comm comm, double *x, int depth) {\n    if (depth <= 0)\n        return;\n"
               "    x[depth] *= 0.5;\n    MPI_Allreduce(MPI_IN_PLACE, x, depth, MPI_DOUBLE, MPI_SUM, comm);\n"
               "    descend(comm, x + 1, depth / 2);\n    if (depth & 1)\n        descend(comm, x, depth - 3);\n}")
    return [f"{f}({c.text}, {m.payload()}, ({m.expression(UNIFORM)}) & 7);"]


PRODUCTIONS = tuple((weight, message(f, calls)) for weight, f, calls in (
    (6, ring, 1), (3, replace, 1), (4, ordered, 2), (3, probed, 9), (4, requests, 4), (2, persistent, 16), (10, collective, 1),
    (2, nonblocking_collective, 2), (3, varying_counts, 2), (3, derived_types, 3), (3, split, 2), (2, duplicate, 2), (2, grid, 3),
    (2, master, 16), (8, call_exchange, 0), (4, call_helper, 1), (2, tree, 8)))
