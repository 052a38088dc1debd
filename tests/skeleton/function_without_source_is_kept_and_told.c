/* SPDX-License-Identifier: Apache-2.0
 * What reaches a function that nobody describes stays, and the user is told; what does not goes.
 * note: nothing is known about 'getdomainname'
 * kept: getdomainname(name, sizeof name)
 * gone: u[i] *= 2
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
    char name[100];
    double u[100] = {0};
    MPI_Init(&argc, &argv);
    int n = getdomainname(name, sizeof name) == 0 ? 10 : 20;
    for (int i = 0; i < 100; i++)
        u[i] *= 2;
    MPI_Bcast(u, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
