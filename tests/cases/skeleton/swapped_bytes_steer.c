/* SPDX-License-Identifier: Apache-2.0
 * What swaps bytes reads its argument and nothing else.
 *
 * kept: n = bswap_32(htonl(n) ^ 0)
 * gone: x[1] = 3 * x[0]
 * args: 90
 */
#include <arpa/inet.h>
#include <byteswap.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    unsigned n = (unsigned)atoi(argv[1]);
    int x[1000] = {1};
    MPI_Init(&argc, &argv);
    n = bswap_32(htonl(n) ^ 0);
    x[1] = 3 * x[0];
    MPI_Bcast(x, (int)n, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
