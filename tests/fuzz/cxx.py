# SPDX-License-Identifier: Apache-2.0
"""Random programs in the C++ that mpiskel reads: objects whose constructors and destructors count and send,
references to what steers, containers that grow, virtual calls. All ranks do the same, so nothing waits for ever."""
import random

HEAD = """#include <cstdlib>
#include <map>
#include <mpi.h>
#include <string>
#include <vector>
static double buffer[4096], payload[256];
static int count = 1;
static std::vector<int> shared_sizes(3, 2);
static void send(int n) {
    MPI_Bcast(buffer, (n & 1023) + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
static double compute(int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        payload[i & 255] += sum += 0.5 * i;
    return sum;
}
"""


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.depth, self.next = [], 1, 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def name(self, stem):
        self.next += 1
        return f"{stem}{self.next}"

    def put(self, text):
        self.lines.append("    " * self.depth + text)

    def number(self, names):
        """An expression that steers: safe for any values."""
        left = self.pick("count", "shared_sizes[1]", "(int)shared_sizes.size()", str(self.random.randint(1, 9)), *names)
        right = self.pick(str(self.random.randint(1, 9)), "argc", *names)
        return f"({left} {self.pick('+', '-', '^', '&')} {right})"

    def classes(self):
        for k in range(3):
            base = f"Shape{k}"
            begins = self.pick("count += n & 7;", "send(n);", "count ^= k;", "compute(n);", "")
            ends = self.pick("send(k);", "count += 3;", "compute(k & 15);", "count = (count ^ k) & 255;")
            grows = self.pick("n++;", "k += n & 3;", "compute(n); k--;", "name += 'x';")
            self.lines.append(
                f"struct {base} {{\n    int k;\n    int &total;\n    std::string name;\n    std::vector<int> sizes;\n"
                f"    {base}(int n, int &t) : k(n & 63), total(t), name(\"s{k}\"), sizes({k} + 2, {k + 1}) "
                f"{{ {begins} }}\n    virtual ~{base}() {{ {ends} }}\n"
                f"    virtual int size(int n) {{ {grows} total += 1; return k + n + (int)name.size(); }}\n"
                f"    int sum() const {{ int s = 0; for (int v : sizes) s += v; return s; }}\n}};\n"
                f"struct Other{k} : {base} {{\n    int more;\n    Other{k}(int n, int &t) : {base}(n + 1, t), more(n) {{}}\n"
                f"    ~Other{k}() {{ {self.pick('send(more);', 'count++;', 'compute(9);')} }}\n"
                f"    int size(int n) {{ {self.pick('total += 2;', 'sizes.push_back(n);', 'more++;')} "
                f"return more + (int)sizes.size(); }}\n}};\n")
        self.lines.append("static int twice(int &n, const std::vector<int> &v) {\n    n += (int)v.size();\n    "
                          + self.pick("send(n);", "compute(n & 31);", "") + "\n    return 2 * n;\n}\n")

    def statement(self, names, objects):
        kind = self.pick("send", "compute", "scope", "grow", "map", "call", "loop", "if", "heap", "reference", "string")
        number = self.number(names)
        if kind == "send":
            self.put(f"send({number});")
        elif kind == "compute":
            self.put(f"sum += compute({number} & 127);")
        elif kind == "grow":
            self.put(f"shared_sizes.{self.pick('push_back', 'push_back', 'resize')}(({number} & 7) + 2);")
        elif kind == "map":
            self.put(f"seen[{number} & 15] += {self.number(names)} & 31;")
            self.put(f"if (seen.count({number} & 15) != 0) count = (count + seen[{number} & 15]) & 511;")
        elif kind == "call" and objects:
            self.put(f"count = (count + {self.pick(*objects)}size({number} & 31)) & 511;")
        elif kind == "reference":
            name = self.name("r")
            self.put(f"int &{name} = {self.pick('count', 'local', 'shared_sizes[0]')};")
            self.put(f"{name} = ({name} + {number}) & 255;")
            self.put(f"local = (local + twice({name}, shared_sizes)) & 255;")
        elif kind == "string":
            self.put(f"text {self.pick('+=', '=')} \"{'x' * self.random.randint(1, 9)}\";")
            self.put(f"send((int)text.size() + {number});")
        elif kind == "heap":
            name, k = self.name("p"), self.random.randint(0, 2)
            self.put(f"{{ Shape{k} *{name} = new {self.pick('Shape', 'Other')}{k}({number} & 31, local);")
            self.put(f"  count = (count + {name}->size(3) + {name}->sum()) & 511;")
            self.put(f"  delete {name}; }}")
        elif self.depth < 4:
            self.block(kind, names, objects, number)

    def block(self, kind, names, objects, number):
        name, k = self.name("o"), self.random.randint(0, 2)
        opens = {"loop": f"for (int {name}i = 0; {name}i < ({number} & 3) + 1; {name}i++) {{", "if": f"if ({number} & 1) {{"}
        self.put(opens.get(kind, "{"))
        self.depth += 1
        self.put(f"{self.pick('Shape', 'Other')}{k} {name}({number} & 31, local);")
        for _ in range(self.random.randint(1, 3)):
            self.statement(names, objects + [f"{name}."])
        self.depth -= 1
        self.put("}")

    def text(self):
        self.classes()
        self.lines.append("int main(int argc, char **argv) {\n    MPI_Init(&argc, &argv);\n    int local = argc;\n"
                          "    double sum = 0;\n    std::map<int, int> seen;\n    std::string text = \"t\";")
        for _ in range(self.random.randint(6, 14)):
            self.statement(["local"], [])
        self.lines.append("    send(count + local);\n    buffer[0] = sum;\n    send(3);\n    MPI_Finalize();\n    return 0;\n}\n")
        return HEAD + "\n".join(self.lines)


def write(seed):
    return {"program.cpp": Maker(seed).text()}, []
