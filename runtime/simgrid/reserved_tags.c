/* SPDX-License-Identifier: Apache-2.0
 *
 * SimGrid's functions behind PMPI_Isend and PMPI_Irecv, by the names that its C++ compiler gives
 * them. They take some simulated time, while which other ranks run, so the measurement of the
 * rank's own computation stops meanwhile, as it does in MPI's functions.
 */
#include "runtime/simgrid/reserved_tags.h"

MPI_Request bsim__smpi_isend(const void *, int, MPI_Datatype, int, int, MPI_Comm) __asm__(
    "_ZN7simgrid4smpi7Request5isendEPKviPNS0_8DatatypeEiiPNS0_4CommE");
MPI_Request bsim__smpi_irecv(void *, int, MPI_Datatype, int, int, MPI_Comm) __asm__(
    "_ZN7simgrid4smpi7Request5irecvEPviPNS0_8DatatypeEiiPNS0_4CommE");

MPI_Request reserved_tags_isend(const void *buffer, int count, MPI_Datatype datatype, int to,
                                int tag, MPI_Comm communicator) {
    smpi_bench_end();
    MPI_Request request = bsim__smpi_isend(buffer, count, datatype, to, tag, communicator);
    smpi_bench_begin();
    return request;
}

MPI_Request reserved_tags_irecv(void *buffer, int count, MPI_Datatype datatype, int from, int tag,
                                MPI_Comm communicator) {
    smpi_bench_end();
    MPI_Request request = bsim__smpi_irecv(buffer, count, datatype, from, tag, communicator);
    smpi_bench_begin();
    return request;
}
