/* SPDX-License-Identifier: Apache-2.0
 *
 * Static initialisers with MPI_COMM_WORLD, which SimGrid knows only when the program runs: they
 * hold the address of bsim_world (bsim_world.h), and here it is replaced wherever it stands in the
 * program's initialised memory, which for its thread-local variables is an image that is read-only
 * by now.
 *
 * SimGrid may load the program before it has made MPI_COMM_WORLD (ranks that share one copy). So
 * this is done when the program is loaded, when a rank's variables are made, and in MPI_Init; the
 * places are remembered. A program that has no such initialiser is not linked with this file.
 */
#include "runtime/smpi/runtime.h"

#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern const char bsim_world __attribute__((visibility("hidden")));
const char bsim_world = 0;

static BSIM__COMMON const void *stored; /* at these places, where the program has not assigned;
                                           NULL: they are not known yet */
static BSIM__COMMON char **places;
static BSIM__COMMON size_t place_count, place_capacity;

static void remember(char *place) {
    if (place_count == place_capacity) {
        size_t capacity = 2 * place_capacity + 8;
        places = bsim__grow(places, place_capacity * sizeof *places, capacity * sizeof *places);
        place_capacity = capacity;
    }
    places[place_count++] = place;
}

/* Records may be packed: the address is looked for at each byte. */
static void look_through(char *memory, size_t bytes) {
    const void *wanted = &bsim_world;
    char *end = memory + bytes;
    while ((memory = memmem(memory, (size_t)(end - memory), &wanted, sizeof wanted)) != NULL) {
        remember(memory);
        memory += sizeof wanted;
    }
}

static int find_places(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size, (void)unused;
    int is_ours = 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        is_ours =
            is_ours || (part->p_type == PT_LOAD && (uintptr_t)&bsim_world - start < part->p_memsz);
    }
    for (int i = 0; is_ours && i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_W) != 0)
            look_through((char *)(object->dlpi_addr + part->p_vaddr), part->p_filesz);
    }
    return is_ours;
}

/* What the dynamic linker made read-only stays writable: there is nothing else to tell what it was.
 */
static void make_writable(char *place, size_t bytes) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = (uintptr_t)place / page * page;
    if (mprotect((void *)begin, (uintptr_t)place + bytes - begin, PROT_READ | PROT_WRITE) != 0)
        bsim__stop("mpiskel: error: cannot write to the program's constants, one of which is "
                   "initialised by MPI_COMM_WORLD");
}

void bsim__replace_worlds(void) {
    const void *world = MPI_COMM_WORLD;
    if (world == stored)
        return;
    if (stored == NULL) {
        dl_iterate_phdr(find_places, NULL);
        stored = &bsim_world;
    }
    for (size_t i = 0; i < place_count; i++) {
        if (memcmp(places[i], &stored, sizeof stored) != 0)
            continue;
        make_writable(places[i], sizeof world);
        memcpy(places[i], &world, sizeof world);
    }
    stored = world;
}

__attribute__((constructor)) static void begin(void) {
    bsim__replace_worlds();
}
