/* SPDX-License-Identifier: Apache-2.0
 *
 * Which module an address is in, with its build id (the note that linkers write; a module without
 * one has a hash of its contents). Those of MPI are known by their names.
 */
#include "runtime/record/recorder.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOTE_ALIGN 4

static struct bsim__record_module *modules; /* those that were found so far */

struct search {
    uint64_t address;
    struct bsim__record_module *out;
    bool found;
};

static size_t aligned(size_t bytes) {
    return (bytes + NOTE_ALIGN - 1) & ~(size_t)(NOTE_ALIGN - 1);
}

static void take_build_id(struct bsim__record_module *out, const uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length && 2 * i + 2 < sizeof out->build_id; i++)
        snprintf(out->build_id + 2 * i, 3, "%02x", bytes[i]);
}

static void read_notes(struct bsim__record_module *out, const uint8_t *at, size_t bytes) {
    ElfW(Nhdr) note;
    while (bytes >= sizeof note) {
        memcpy(&note, at, sizeof note);
        size_t name = aligned(note.n_namesz), content = aligned(note.n_descsz);
        if (name + content > bytes - sizeof note)
            return;
        const uint8_t *text = at + sizeof note;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(text, "GNU", 4) == 0)
            take_build_id(out, text + name, note.n_descsz);
        at += sizeof note + name + content;
        bytes -= sizeof note + name + content;
    }
}

static void take_name(struct bsim__record_module *out, const char *path) {
    if (path[0] == '\0') { /* the program itself */
        ssize_t length = readlink("/proc/self/exe", out->path, sizeof out->path - 1);
        out->path[length > 0 ? length : 0] = '\0';
    } else {
        snprintf(out->path, sizeof out->path, "%s", path);
    }
    const char *slash = strrchr(out->path, '/');
    snprintf(out->name, sizeof out->name, "%.*s", (int)sizeof out->name - 1,
             slash != NULL ? slash + 1 : out->path);
}

/* Open MPI's, MPICH's and its kin's libraries, and their languages'. */
static bool is_of_mpi(const char *name) {
    static const char *const begins[] = {"libmpi",    "libopen-rte", "libopen-pal",   "libpmpi",
                                         "libfmpich", "mca_",        "libbsim_record"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

static bool covers(const struct dl_phdr_info *info, uint64_t address,
                   struct bsim__record_module *out) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uint64_t first = info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && address >= first && address - first < part->p_memsz) {
            out->first = first;
            out->end = first + part->p_memsz;
            return true;
        }
    }
    return false;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *context) {
    struct search *search = context;
    (void)size;
    if (!covers(info, search->address, search->out))
        return 0;
    search->found = true;
    search->out->base = info->dlpi_addr;
    take_name(search->out, info->dlpi_name);
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            read_notes(search->out, (const uint8_t *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
                       info->dlpi_phdr[i].p_memsz);
    if (search->out->build_id[0] == '\0')
        bsim__record_hash_file(search->out->build_id, sizeof search->out->build_id,
                               search->out->path);
    search->out->is_mpi = is_of_mpi(search->out->name);
    return 1;
}

/* NULL: none has the address, or out of memory. */
static struct bsim__record_module *new_module(uint64_t address) {
    struct bsim__record_module *module = calloc(1, sizeof *module);
    struct search search = {.address = address, .out = module};
    if (module != NULL)
        dl_iterate_phdr(look_at, &search);
    if (search.found) {
        module->next = modules;
        modules = module;
        return module;
    }
    free(module);
    return NULL;
}

struct bsim__record_module *bsim__record_module_at(uint64_t address) {
    for (struct bsim__record_module *one = modules; one != NULL; one = one->next)
        if (address >= one->first && address < one->end)
            return one;
    return new_module(address);
}
