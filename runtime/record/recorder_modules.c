/* SPDX-License-Identifier: Apache-2.0
 *
 * Which module an address is in, with its build id (the note that linkers write), and which
 * function, by the symbols that the module exports. Modules are looked at when an address is new;
 * those of MPI are known by their names.
 */
#include "runtime/record/recorder.h"

#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NOTE_ALIGN 4

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
    char own[PATH_MAX];
    if (path[0] == '\0') { /* the program itself */
        ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
        own[length > 0 ? length : 0] = '\0';
        path = own;
    }
    const char *slash = strrchr(path, '/');
    snprintf(out->name, sizeof out->name, "%.*s", (int)sizeof out->name - 1,
             slash != NULL ? slash + 1 : path);
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
    search->out->build_id[0] = '\0';
    take_name(search->out, info->dlpi_name);
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            read_notes(search->out, (const uint8_t *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
                       info->dlpi_phdr[i].p_memsz);
    search->out->is_mpi = is_of_mpi(search->out->name);
    return 1;
}

const struct bsim__record_module *bsim__record_module_at(uint64_t address) {
    static struct bsim__record_module module;
    struct search search = {.address = address, .out = &module};
    dl_iterate_phdr(look_at, &search);
    return search.found ? &module : NULL;
}

const char *bsim__record_function_at(uint64_t address, uint64_t *offset) {
    Dl_info info;
    /* The address behind a call may be another function's. */
    if (dladdr((void *)(uintptr_t)(address - 1), &info) == 0 || info.dli_sname == NULL)
        return NULL;
    *offset = address - (uint64_t)(uintptr_t)info.dli_saddr;
    return info.dli_sname;
}
