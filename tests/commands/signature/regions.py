# SPDX-License-Identifier: Apache-2.0
"""Regions of examples, each as a function `region` of a small program without MPI."""
import json
import os

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "examples")


# ---- Regions of examples, as functions of their own ----
# Each: example, place of the region, sources besides the harness, harness, and for each size its
# arguments, the numbers of the features, and how often branches are taken; what tells these of a size.

HEAT3D = r"""
#include "stencil.h"
#include <stdlib.h>
void region(const struct stencil *s, const struct domain *d, double **next, double **u) {
    double change = stencil_step(s, d, *next, *u);
    double *old = *u;
    *u = *next;
    *next = old;
    (void)change;
}
int main(int argc, char **argv) {
    int x = atoi(argv[1]), y = atoi(argv[2]), z = atoi(argv[argc - 1]);
    struct domain d = {.global = {x, y, z}, .local = {x, y, z}, .start = {1, 1, 1}};
    struct stencil s;
    size_t cells = (size_t)(x + 2) * (size_t)(y + 2) * (size_t)(z + 2);
    double *u = calloc(cells, sizeof *u), *next = calloc(cells, sizeof *next);
    stencil_init(&s, &d);
    region(&s, &d, &next, &u);
    return 0;
}
"""

CG = r"""
#include "solver.c"
#include <mpi.h>
%s
int main(int argc, char **argv) {
    struct domain d = {.ranks = 1, .n = atoi(argv[argc - 1])};
    struct csr a;
    d.lines = d.n;
    d.rows = d.n * d.n;
    csr_init(&a, &d);
    double *x = vector_new_padded(&d), *y = vector_new(d.rows);
    region(&a, x, y, d.rows);
    return 0;
}
"""

LU = r"""
#include "factor.c"
#include <mpi.h>
void region(struct factorisation *f, struct matrix *m, int k, int begin) {
%s
    (void)f, (void)begin, (void)m, (void)k;
}
int main(int argc, char **argv) {
    int nb = atoi(argv[1]), tiles = atoi(argv[argc - 1]);
    struct grid g = {.ranks = 1, .rows = 1, .columns = 1};
    struct matrix m;
    matrix_init(&m, &g, nb * tiles, nb);
    struct factorisation f = {.m = &m, .g = &g};
    f.panels[0] = f.panels[1] = calloc((size_t)((tiles + 1) * nb * nb), sizeof(double));
    f.row = calloc((size_t)((tiles + 1) * nb * nb), sizeof(double));
    f.diagonal = calloc((size_t)(nb * nb), sizeof(double));
    for (int i = 0; i < nb * nb; i++)
        f.diagonal[i] = f.row[i] = f.panels[0][i] = 1 + i;
    region(&f, &m, 0, 1);
    return 0;
}
"""


def heat3d(x, y, z):
    return [str(x), str(y), str(z)], [x, x * y, x * y * z], []


def csr(n):
    return [str(n)], [n * n, 5 * n * n - 4 * n], []


def rows(n):
    return [str(n)], [n * n], []


def update(nb, tiles):
    columns = tiles - 1
    calls = columns * columns
    packs, rest = nb // 4, nb % 4
    return [str(nb), str(tiles)], [columns, calls, calls * nb, calls * nb * packs,
                                   calls * nb * packs * nb, calls * nb * rest,
                                   calls * nb * rest * nb], [1, 0, 1, 0, 1, 0]


def getrf(nb):
    pairs = nb * (nb - 1) // 2
    return [str(nb), "2"], [nb, pairs, (nb - 1) * nb * (2 * nb - 1) // 6, nb * nb * 8], [1]


def trsm(nb, tiles):
    tiles -= 1
    return [str(nb), str(tiles + 1)], [tiles, tiles * nb, tiles * nb * nb,
                                       tiles * nb * nb * (nb - 1) // 2], [1, 0]


REGIONS = [
    ("heat3d", "main.c:48", ["stencil.c"], HEAT3D, [heat3d(3, 5, 4), heat3d(6, 6, 6), heat3d(4, 9, 11)],
     heat3d),
    ("cg", "solver.c:47", ["matrix.c", "vector.c"],
     CG % "void region(const struct csr *a, double *direction, double *product, int rows) {\n"
          "    csr_multiply(a, product, direction);\n    (void)rows;\n}", [csr(4), csr(7), csr(12)], csr),
    ("cg", "solver.c:49", ["matrix.c", "vector.c"],
     CG % "void region(const struct csr *a, double *own, double *x, int rows) {\n"
          "    double alpha = 2;\n    axpy(x, alpha, own, rows);\n    (void)a;\n}",
     [rows(4), rows(7), rows(12)], rows),
    ("lu", "factor.c:111", ["matrix.c", "kernels.c", "grid.c"],
     LU % "    update(f, k, begin, m->local_columns);", [update(4, 3), update(6, 2), update(11, 4)],
     update),
    ("lu", "factor.c:44", ["matrix.c", "kernels.c", "grid.c"],
     LU % "    int column = k / f->g->columns;\n    if (owns_row(f, k)) {\n"
          "        double *tile = matrix_tile(m, k / f->g->rows, column);\n"
          "        tile_getrf(tile, m->nb);\n"
          "        memcpy(f->diagonal, tile, tile_size(m) * sizeof(double));\n    }",
     [getrf(4), getrf(7), getrf(10)], getrf),
    ("lu", "factor.c:51", ["matrix.c", "kernels.c", "grid.c"],
     LU % "    int column = begin;\n"
          "    for (int i = first_row(f, k + 1); i < m->local_rows; i++)\n"
          "        tile_trsm_upper(matrix_tile(m, i, column), f->diagonal, m->nb);",
     [trsm(4, 3), trsm(7, 2), trsm(6, 5)], trsm),
]


def bundle_of(session, example):
    name = example + ".skel"
    if not os.path.exists(session.path(name)):
        directory = os.path.join(EXAMPLES, example)
        sources = [file for file in sorted(os.listdir(directory)) if file.endswith(".c")]
        session.write("compile_commands.json", json.dumps(
            [{"directory": directory, "file": file, "output": file[:-2] + ".o",
              "arguments": ["mpicc", "-c", file]} for file in sources]))
        session.fine("generate", "--no-compile", "-o", name)
    return name
