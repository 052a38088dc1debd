/* SPDX-License-Identifier: Apache-2.0
 *
 * write_threads_otf2 DIRECTORY: an archive of two processes with two threads each, whose first ones
 * send a message (0 to 1), and whose second ones compute.
 */
#include <otf2/otf2.h>
#include <stdlib.h>

#define THREADS 4
#define CHUNK_BYTES (1024 * 1024)

static OTF2_FlushType flush_before(void *data, OTF2_FileType type, OTF2_LocationRef location,
                                   void *caller, bool final) {
    (void)data, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static void check(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS)
        abort();
}

/* Regions: 0 is MPI_Send, 1 MPI_Recv, 2 computation. */
static void write_events(OTF2_Archive *archive, uint64_t thread) {
    OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, thread);
    uint32_t region = thread % 2 != 0 ? 2 : thread == 0 ? 0 : 1;
    check(OTF2_EvtWriter_Enter(writer, NULL, 100, region));
    if (region == 0)
        check(OTF2_EvtWriter_MpiSend(writer, NULL, 101, 1, 0, 7, 64));
    if (region == 1)
        check(OTF2_EvtWriter_MpiRecv(writer, NULL, 199, 0, 0, 7, 64));
    check(OTF2_EvtWriter_Leave(writer, NULL, 200, region));
    check(OTF2_Archive_CloseEvtWriter(archive, writer));
}

static void write_names(OTF2_GlobalDefWriter *defs) {
    static const char *const names[] = {"", "MPI_Send", "MPI_Recv", "compute", "MPI_COMM_WORLD"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        check(OTF2_GlobalDefWriter_WriteString(defs, i, names[i]));
    for (uint32_t i = 0; i < 3; i++)
        check(OTF2_GlobalDefWriter_WriteRegion(defs, i, i + 1, i + 1, 0, OTF2_REGION_ROLE_FUNCTION,
                                               i < 2 ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                                               OTF2_REGION_FLAG_NONE, 0, 0, 0));
}

static void write_processes(OTF2_GlobalDefWriter *defs) {
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(defs, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (uint32_t i = 0; i < THREADS; i++) {
        if (i % 2 == 0)
            check(OTF2_GlobalDefWriter_WriteLocationGroup(defs, i / 2, 0,
                                                          OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                          OTF2_UNDEFINED_LOCATION_GROUP));
        check(OTF2_GlobalDefWriter_WriteLocation(defs, i, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 2,
                                                 i / 2));
    }
}

static void write_definitions(OTF2_Archive *archive) {
    static const uint64_t locations[] = {0, 2}, members[] = {0, 1};
    check(OTF2_Archive_OpenDefFiles(archive));
    for (uint64_t i = 0; i < THREADS; i++)
        check(OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, i)));
    check(OTF2_Archive_CloseDefFiles(archive));
    OTF2_GlobalDefWriter *defs = OTF2_Archive_GetGlobalDefWriter(archive);
    check(OTF2_GlobalDefWriter_WriteClockProperties(defs, 1000000000, 0, 201,
                                                    OTF2_UNDEFINED_TIMESTAMP));
    write_names(defs);
    write_processes(defs);
    check(OTF2_GlobalDefWriter_WriteGroup(defs, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, locations));
    check(OTF2_GlobalDefWriter_WriteGroup(defs, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, 2, members));
    check(OTF2_GlobalDefWriter_WriteComm(defs, 0, 4, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

int main(int argc, char **argv) {
    static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush_before};
    if (argc != 2)
        return 64;
    OTF2_Archive *archive =
        OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, CHUNK_BYTES, CHUNK_BYTES,
                          OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive == NULL)
        return 1;
    check(OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    check(OTF2_Archive_OpenEvtFiles(archive));
    for (uint64_t i = 0; i < THREADS; i++)
        write_events(archive, i);
    check(OTF2_Archive_CloseEvtFiles(archive));
    write_definitions(archive);
    check(OTF2_Archive_Close(archive));
    return 0;
}
