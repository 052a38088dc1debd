/* SPDX-License-Identifier: Apache-2.0
 *
 * A call stays without its statement, with an argument that also writes a variable nobody needs: the
 * variable stays declared.
 *
 * kept: repeat((seen = argc))
 * kept: repeat((kind = second).count)
 * gone: seen + kind.count
 */
#include <mpi.h>

struct kind {
    int count;
};

static int repeat(int n) {
    for (int i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    return n;
}

int main(int argc, char **argv) {
    const struct kind second = {2};
    int calls = 0;
    MPI_Init(&argc, &argv);
    {
        struct kind kind;
        int seen;
        calls += repeat((seen = argc));
        calls += repeat((kind = second).count);
        calls += seen + kind.count;
    }
    MPI_Finalize();
    return 0;
}
