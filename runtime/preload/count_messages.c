/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the messages of a simulation, those inside collectives too: a library of its own that is
 * loaded before SimGrid's (LD_PRELOAD), since neither SMPI nor its options tell.
 *
 * SimGrid's kernel sets the size of each communication that a sender hands to it, once, by
 * CommImpl::set_size(double), which this file has under the same name: it counts, and calls
 * SimGrid's. SMPI adds an envelope of 16 bytes to each message, which does not count. Sums are kept
 * in the file that BSIM_MESSAGES names, mapped, so that they are there after a crash as well. Where
 * SimGrid has no such function (another version) there is no file. Not counted: what a rank sends
 * to itself where SMPI copies it instead (MPI_Sendrecv).
 */
#include "runtime/formats/messages_page.h"
#include "runtime/preload/interpose.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define SET_SIZE "_ZN7simgrid6kernel8activity8CommImpl8set_sizeEd"
#define ENVELOPE_BYTES 16

extern uint64_t *bsim__detached_count __attribute__((visibility("hidden")));
extern uint64_t *bsim__untimed_count __attribute__((visibility("hidden")));
extern double *bsim__untimed_reference_s __attribute__((visibility("hidden")));
extern struct bsim__bursts *bsim__untimed_bursts __attribute__((visibility("hidden")));

typedef void *(*size_setter)(void *communication, double bytes);

static size_setter original;
static struct messages_page *page;

void *bsim__set_size(void *communication, double bytes) __asm__(SET_SIZE);

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("BSIM_MESSAGES");
    interpose_look_up(&original, SET_SIZE);
    if (path == NULL || original == NULL)
        return;
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return;
    void *mapped = MAP_FAILED;
    if (ftruncate(fd, sizeof *page) == 0)
        mapped = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped != MAP_FAILED) {
        page = mapped;
        bsim__detached_count = &page->detached;
        bsim__untimed_count = &page->untimed;
        bsim__untimed_reference_s = &page->reference_s;
        bsim__untimed_bursts = &page->bursts;
    }
    close(fd);
}

void *bsim__set_size(void *communication, double bytes) {
    if (page != NULL) {
        page->count++;
        page->bytes += bytes - ENVELOPE_BYTES;
    }
    return original(communication, bytes);
}
