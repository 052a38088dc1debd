/* Of two messages of bytes with one tag, one is received as bytes and one as an integer: though the bytes
 * have a receiver of their type, the integer has none but them. Nor has it one in what a rank sends to itself.
 *
 * kept: count = argc > 1 ? atoi(argv[1]) : 5
 * gone: sum += i * 0.5
 * args: 3
 * args:
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, count = 0, steps = 0;
    char name[4] = {0};
    double sum = 0, mine = 1, own;
    MPI_Status status = {.MPI_TAG = 9};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, rank, 4, &own, 1, MPI_DOUBLE, rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) {
        count = argc > 1 ? atoi(argv[1]) : 5;
        MPI_Send(&count, sizeof count, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
        MPI_Send(name, sizeof name, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
        while (status.MPI_TAG == 9)
            MPI_Recv(name, 1, MPI_CHAR, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    }
    if (rank == 1) {
        MPI_Recv(&steps, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(name, sizeof name, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < steps; i++)
            MPI_Send(name, 1, MPI_CHAR, 0, 9, MPI_COMM_WORLD);
        MPI_Send(name, 1, MPI_CHAR, 0, 10, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 1000; i++)
        sum += i * 0.5;
    MPI_Finalize();
    return sum < 0;
}
