/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines end in carriage return and line feed, tabs indent, the last line has no end.
 *
 * gone: u[i] *= 2
 * kept: MPI_Bcast
 */
#include <mpi.h>

int main(int argc, char **argv)
{
	double u[100] = {0};
	int i, \
		n = 4;
	MPI_Init(&argc, &argv);
	for (i = 0; i < n; i++)
		u[i] *= 2;
	MPI_Bcast(u, n, MPI_DOUBLE, 0, MPI_COMM_WORLD); // done
	MPI_Finalize();
	return 0;
}