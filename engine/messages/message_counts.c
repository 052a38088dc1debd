/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/messages/message_counts.h"

#include "runtime/formats/messages_page.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static struct messages_page unwritten, *page = &unwritten;

void message_counts_open(void) {
    const char *path = getenv("BSIM_MESSAGES");
    int file = path != NULL ? open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (file < 0)
        return;
    void *mapped = MAP_FAILED;
    if (ftruncate(file, sizeof *page) == 0)
        mapped = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED)
        page = mapped;
    close(file);
}

void message_counts_add(size_t bytes) {
    page->count++;
    page->bytes += (double)bytes;
}
