/* The sum goes, with what its comments hold: an #endif there has no #if.
 * gone: sum += 2
 * gone: sum *= 3
 * gone: '"'
 * kept: MPI_Barrier(MPI_COMM_WORLD)
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    double sum = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < argc + 10; i++) {
#ifdef SLOW
        sum += 1;
#else
        sum += 2; /*
#else in a comment
        sum += 3;
#endif
*/
        sum *= 3; // begins no comment: /*
#endif
        sum += '"'; /* begins no string */
        // nor does this: "
        sum += argc;
    }
    printf("%f\n", sum);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
