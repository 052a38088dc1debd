# SPDX-License-Identifier: Apache-2.0
"""Messages that carry what steers: LOCAL values become UNIFORM where all ranks of MPI_COMM_WORLD get the
same, else they become other LOCAL values."""
from hpc.control import indent
from hpc.maker import LOCAL, UNIFORM, Array
from hpc.messages import message, neighbours, root, tag


def carried(m, c, agreed, lines, text):
    place = m.target(UNIFORM if agreed and c.world else LOCAL)
    if place is None:
        return None
    return ["{"] + indent(lines + [m.store(place, text)]) + ["}"]


def broadcast(m, c):
    r = root(m, c)
    return carried(m, c, True, [f"int said = {c.rank} == {r} ? ({m.expression(LOCAL)}) & 1023 : {c.rank};",
                                f"MPI_Bcast(&said, 1, MPI_INT, {r}, {c.text});"], "said")


def two_places(m, c):
    """The root's call of a collective is another than that of the others."""
    r, value = root(m, c), f"({m.expression(LOCAL)}) & 1023"
    form = m.rng.randrange(3)
    if form == 0:
        return carried(m, c, True, ["int said = 0;", f"if ({c.rank} == {r}) {{", f"    int copy = {value}, mine[1] = {{copy}};", "    said = copy;",
                                    f"    MPI_Bcast(mine, 1, MPI_INT, {r}, {c.text});", "} else {",
                                    f"    MPI_Bcast(&said, 1, MPI_INT, {r}, {c.text});", "}"], "said")
    if form == 1:
        return carried(m, c, False, [f"int part = {value};", f"if ({c.rank} == {r})",
                                     f"    MPI_Reduce(MPI_IN_PLACE, &part, 1, MPI_INT, MPI_SUM, {r}, {c.text});", "else",
                                     f"    MPI_Reduce(&part, NULL, 1, MPI_INT, MPI_SUM, {r}, {c.text});"], "part")
    return carried(m, c, False, ["int part = 0;", f"if ({c.rank} == {r}) {{", f"    int all[8] = {{{value}, 3, ({m.expression(LOCAL, 1)}) & 7}};",
                                 f"    part = all[{r}];",
                                 f"    MPI_Scatter(all, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, {r}, {c.text});", "} else {",
                                 f"    MPI_Scatter(NULL, 1, MPI_INT, &part, 1, MPI_INT, {r}, {c.text});", "}"], "part")


def reduced(m, c):
    operation = m.pick(("MPI_MAX", "MPI_SUM", "MPI_MIN", "MPI_BXOR"))
    form = m.rng.randrange(3)
    lines = [f"int mine = ({m.expression(LOCAL)}) & 1023, all = 0;"]
    if form == 0:
        lines += [f"MPI_Allreduce(&mine, &all, 1, MPI_INT, {operation}, {c.text});"]
    elif form == 1:
        lines += [f"MPI_Reduce(&mine, &all, 1, MPI_INT, {operation}, 0, {c.text});", f"MPI_Bcast(&all, 1, MPI_INT, 0, {c.text});"]
    else:
        lines += ["MPI_Request request;", f"MPI_Iallreduce(&mine, &all, 1, MPI_INT, {operation}, {c.text}, &request);",
                  f"mine = ({m.expression(LOCAL)}) & 7;".replace("mine =", "int later ="), "(void)later;",
                  "MPI_Wait(&request, MPI_STATUS_IGNORE);"]
    return carried(m, c, True, lines, "all")


def real_reduced(m, c):
    """A norm that decides, as in iterative solvers; the values are exact."""
    return carried(m, c, True, [f"double mine = ({m.expression(LOCAL)}) & 255, norm;",
                                f"MPI_Allreduce(&mine, &norm, 1, MPI_DOUBLE, {m.pick(('MPI_SUM', 'MPI_MAX'))}, {c.text});"], "(int)norm")


def gathered(m, c):
    if not c.world or m.level != UNIFORM:
        return None
    name, mine = m.name("all"), m.name("mine")
    m.scope.arrays.append(Array(name, "int", 8, UNIFORM, m.life))
    return [f"int {name}[8] = {{0}}, {mine} = ({m.expression(LOCAL)}) & 1023;",
            f"MPI_Allgather(&{mine}, 1, MPI_INT, {name}, 1, MPI_INT, {c.text});"]


def scattered(m, c):
    return carried(m, c, False, ["int table[8] = {" + ", ".join(f"({m.expression(LOCAL, 1)}) & 1023" for _ in range(5)) + "}, part = 0;",
                                 f"MPI_Scatter(table, 1, MPI_INT, &part, 1, MPI_INT, {root(m, c)}, {c.text});"], "part")


def passed_on(m, c):
    to, source = neighbours(m, c)
    t = tag(m)
    form = m.rng.randrange(3)
    lines = [f"int mine = ({m.expression(LOCAL)}) & 1023, theirs = 3;"]
    if form == 0:
        lines += [f"MPI_Sendrecv(&mine, 1, MPI_INT, {to}, {t}, &theirs, 1, MPI_INT, {source}, {t}, {c.text}, MPI_STATUS_IGNORE);"]
    elif form == 1:
        lines += ["MPI_Request r[2];", f"MPI_Irecv(&theirs, 1, MPI_INT, {source}, {t}, {c.text}, &r[0]);",
                  f"MPI_Isend(&mine, 1, MPI_INT, {to}, {t}, {c.text}, &r[1]);", "MPI_Waitall(2, r, MPI_STATUSES_IGNORE);"]
    else:
        lines += ["theirs = mine;", f"MPI_Sendrecv_replace(&theirs, 1, MPI_INT, {to}, {t}, {source}, {t}, {c.text}, MPI_STATUS_IGNORE);"]
    return carried(m, c, False, lines, "theirs")


def header(m, c):
    """Count and payload in one message of bytes."""
    m.need("#string", "#include <string.h>")
    to, source = neighbours(m, c)
    t = tag(m)
    return carried(m, c, False, [
        "char out[96] = {0}, in[96] = {0};", f"int count = ({m.expression(LOCAL)}) & 7, got = 2;", "memcpy(out, &count, sizeof count);",
        f"memcpy(out + 8, {m.payload()}, count * sizeof(double));",
        f"MPI_Sendrecv(out, 8 + count * (int)sizeof(double), MPI_BYTE, {to}, {t}, in, sizeof in, MPI_BYTE, {source}, {t}, {c.text}, MPI_STATUS_IGNORE);",
        "memcpy(&got, in, sizeof got);", f"memcpy({m.payload()}, in + 8, (got & 7) * sizeof(double));"], "got")


def packed(m, c):
    r = root(m, c)
    return carried(m, c, True, [
        "char bag[128];", "int at = 0, count = 0;", "double weight = 0;", f"if ({c.rank} == {r}) {{",
        f"    count = ({m.expression(LOCAL)}) & 1023;", f"    weight = {m.real()};",
        f"    MPI_Pack(&weight, 1, MPI_DOUBLE, bag, sizeof bag, &at, {c.text});",
        f"    MPI_Pack(&count, 1, MPI_INT, bag, sizeof bag, &at, {c.text});", "}",
        f"MPI_Bcast(bag, sizeof bag, MPI_PACKED, {r}, {c.text});", "at = 0;",
        f"MPI_Unpack(bag, sizeof bag, &at, &weight, 1, MPI_DOUBLE, {c.text});",
        f"MPI_Unpack(bag, sizeof bag, &at, &count, 1, MPI_INT, {c.text});"], "count")


def struct_as_bytes(m, c):
    records = [r for r in m.scope.records if r.level == UNIFORM and c.world and not r.kind.has_pointers]
    if not records or m.level != UNIFORM:
        return None
    record = m.pick(records)
    if m.chance(50):  # all that is sent but the root's is overwritten by the receive
        members = [text for text, _ in record.kind.integers]
        member = m.pick(members) if members else None
        before = [f"if ({c.rank} != 0)", f"    {record.text}.{member} = {c.rank};"] if member else []
        return before + [f"MPI_Bcast(&{record.text}, sizeof {record.text}, MPI_BYTE, 0, {c.text});"]
    return [f"MPI_Bcast(&{record.text}, sizeof {record.text}, MPI_BYTE, {root(m, c)}, {c.text});"]


def struct_type(m, c):
    m.need("#stddef", "#include <stddef.h>")
    m.need("struct message", "struct message {\n    int count;\n    double weight[4];\n    int tag;\n};")
    f = m.need("message_type", "static MPI_Datatype message_type(void) {\n    int lengths[3] = {1, 4, 1};\n"
               "    MPI_Aint at[3] = {offsetof(struct message, count), offsetof(struct message, weight), offsetof(struct message, tag)};\n"
               "    MPI_Datatype types[3] = {MPI_INT, MPI_DOUBLE, MPI_INT}, type;\n    MPI_Type_create_struct(3, lengths, at, types, &type);\n"
               "    MPI_Type_commit(&type);\n    return type;\n}")
    r = root(m, c)
    return carried(m, c, True, [
        "struct message s = {0};", f"MPI_Datatype type = {f}();", f"if ({c.rank} == {r}) {{", f"    s.count = ({m.expression(LOCAL)}) & 1023;",
        f"    s.tag = ({m.expression(LOCAL, 1)}) & 15;", f"    s.weight[s.tag & 3] = {m.real()};", "}",
        f"MPI_Bcast(&s, 1, type, {r}, {c.text});", "MPI_Type_free(&type);"], m.pick(("s.count", "s.tag", "s.count - s.tag")))


def own_operation(m, c):
    f = m.need("blend", "static void blend(void *in, void *inout, int *n, MPI_Datatype *type) {\n    int *a = in, *b = inout;\n"
               "    (void)type;\n    for (int i = 0; i < *n; i++)\n        b[i] = (a[i] + b[i]) & 1023;\n}")
    return carried(m, c, True, ["MPI_Op op;", f"int mine[2] = {{({m.expression(LOCAL)}) & 1023, 1}}, all[2] = {{0}};",
                                f"MPI_Op_create({f}, 1, &op);", f"MPI_Allreduce(mine, all, 2, MPI_INT, op, {c.text});", "MPI_Op_free(&op);"],
                   "all[0] + all[1]")


def counted_status(m, c):
    """What is known only from a status: count, source and tag."""
    to, source = neighbours(m, c)
    t = tag(m)
    text = m.pick(("n", "status.MPI_TAG", "status.MPI_SOURCE & 7", "n + status.MPI_TAG"))
    return carried(m, c, False, [
        "MPI_Status status;", "int n = 0;", f"double in[16];",
        f"MPI_Sendrecv({m.payload()}, ({m.expression(LOCAL)}) & 15, MPI_DOUBLE, {to}, {t}, in, 16, MPI_DOUBLE, {source}, {t}, {c.text}, &status);",
        "MPI_Get_count(&status, MPI_DOUBLE, &n);"], text)


def run_of_members(m, c):
    """Several members of a struct in one broadcast, by the address of the first."""
    m.need("struct params", "struct params {\n    int nx, ny, nz;\n    double dx;\n    int steps, every;\n};")
    r = root(m, c)
    return carried(m, c, True, ["struct params p = {1, 2, 3, 0.5, 4, 5};", f"if ({c.rank} == {r}) {{", f"    p.ny = ({m.expression(LOCAL)}) & 1023;",
                                f"    p.nz = ({m.expression(LOCAL)}) & 1023;", f"    p.dx = {m.real()};", "}",
                                f"MPI_Bcast(&p.nx, 3, MPI_INT, {r}, {c.text});"], m.pick(("p.nz", "p.ny", "p.nx + p.nz")))


def scanned(m, c):
    call = m.pick((f"MPI_Scan(&mine, &sum, 1, MPI_INT, MPI_SUM, {c.text});", f"MPI_Exscan(&mine, &sum, 1, MPI_INT, MPI_SUM, {c.text});"))
    return carried(m, c, False, [f"int mine = ({m.expression(LOCAL)}) & 255, sum = 0;", call], "sum")


def attribute(m, c):
    return carried(m, c, True, [
        f"int key, found = 0, *kept = 0, value = ({m.expression(UNIFORM)}) & 1023;",
        "MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);",
        f"MPI_Comm_set_attr({c.text}, key, &value);", "value++;", f"MPI_Comm_get_attr({c.text}, key, &kept, &found);",
        "int seen = found ? *kept : 4;", f"MPI_Comm_delete_attr({c.text}, key);", "MPI_Comm_free_keyval(&key);"], "seen")


def type_size(m, c):
    return carried(m, c, True, [
        "MPI_Datatype type;", "int bytes = 0;", f"MPI_Type_contiguous(1 + (({m.expression(UNIFORM)}) & 31), MPI_INT, &type);",
        "MPI_Type_size(type, &bytes);", "MPI_Type_free(&type);"], "bytes")


def group(m, c):
    return carried(m, c, False, [
        "MPI_Group all, some;", f"int mine, ranks[1] = {{(({m.expression(UNIFORM, 1)}) & 1023) % {c.size}}};", f"MPI_Comm_group({c.text}, &all);",
        "MPI_Group_excl(all, 1, ranks, &some);", "MPI_Group_rank(some, &mine);", "MPI_Group_free(&some);", "MPI_Group_free(&all);"],
        "(mine == MPI_UNDEFINED ? 9 : mine)")


PRODUCTIONS = tuple((2, message(f, 2)) for f in (
    broadcast, broadcast, two_places, two_places, reduced, reduced, real_reduced, gathered, scattered, passed_on, passed_on, header, packed, struct_as_bytes,
    struct_as_bytes, struct_type, own_operation, counted_status, run_of_members, scanned, attribute, type_size, group))
