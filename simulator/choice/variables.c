/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads an ELF file's section headers, with all offsets checked; see variables.h.
 */
#include "simulator/choice/variables.h"

#include "base/str.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* __dso_handle in .data; completed.0 in .bss, which the linker fills up to eight bytes. */
#define COMPILER_DATA_BYTES 8
#define COMPILER_BSS_BYTES 1
#define FILLED_BSS_BYTES 8

struct elf {
    const unsigned char *bytes;
    size_t size;
    const Elf64_Ehdr *header;
    const Elf64_Shdr *sections;
    const char *names;
    size_t names_size;
};

static bool lies_within(const struct elf *elf, Elf64_Off offset, size_t bytes) {
    return offset <= elf->size && bytes <= elf->size - offset;
}

static bool parse(struct elf *elf) {
    elf->header = (const Elf64_Ehdr *)elf->bytes;
    if (elf->size < sizeof *elf->header || memcmp(elf->bytes, ELFMAG, SELFMAG) != 0 ||
        elf->bytes[EI_CLASS] != ELFCLASS64 || elf->header->e_machine != EM_X86_64 ||
        elf->header->e_shentsize != sizeof(Elf64_Shdr) ||
        elf->header->e_phentsize != sizeof(Elf64_Phdr) || elf->header->e_shoff % 8 != 0 ||
        elf->header->e_phoff % 8 != 0 || elf->header->e_shstrndx >= elf->header->e_shnum ||
        !lies_within(elf, elf->header->e_shoff, elf->header->e_shnum * sizeof(Elf64_Shdr)) ||
        !lies_within(elf, elf->header->e_phoff, elf->header->e_phnum * sizeof(Elf64_Phdr)))
        return false;
    elf->sections = (const Elf64_Shdr *)(elf->bytes + elf->header->e_shoff);
    const Elf64_Shdr *names = &elf->sections[elf->header->e_shstrndx];
    if (!lies_within(elf, names->sh_offset, names->sh_size) || names->sh_size == 0)
        return false;
    elf->names = (const char *)elf->bytes + names->sh_offset;
    elf->names_size = names->sh_size;
    return elf->names[names->sh_size - 1] == '\0';
}

static const char *name_of(const struct elf *elf, const Elf64_Shdr *section) {
    return section->sh_name < elf->names_size ? elf->names + section->sh_name : "";
}

static bool is_read_only_later(const struct elf *elf, const Elf64_Shdr *section) {
    const Elf64_Phdr *parts = (const Elf64_Phdr *)(elf->bytes + elf->header->e_phoff);
    for (size_t i = 0; i < elf->header->e_phnum; i++)
        if (parts[i].p_type == PT_GNU_RELRO && section->sh_addr >= parts[i].p_vaddr &&
            section->sh_addr - parts[i].p_vaddr <= parts[i].p_memsz &&
            section->sh_size <= parts[i].p_memsz - (section->sh_addr - parts[i].p_vaddr))
            return true;
    return false;
}

/* How much of a section has names; -1: there are no names. */
static long long named_bytes(const struct elf *elf, const Elf64_Shdr *of) {
    long long bytes = -1;
    for (size_t i = 0; i < elf->header->e_shnum; i++) {
        const Elf64_Shdr *table = &elf->sections[i];
        if (table->sh_type != SHT_SYMTAB || table->sh_offset % 8 != 0 ||
            !lies_within(elf, table->sh_offset, table->sh_size))
            continue;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(elf->bytes + table->sh_offset);
        bytes = 0;
        for (size_t k = 0; k < table->sh_size / sizeof *symbols; k++)
            if (symbols[k].st_shndx == of - elf->sections && symbols[k].st_size < elf->size)
                bytes += (long long)symbols[k].st_size;
    }
    return bytes;
}

/* What is larger than a byte would be aligned. */
static bool is_compilers_bss(const struct elf *elf, const Elf64_Shdr *section) {
    long long bytes = named_bytes(elf, section);
    return section->sh_size <= FILLED_BSS_BYTES && section->sh_addralign <= 1 && bytes >= 0 &&
           bytes <= COMPILER_BSS_BYTES;
}

/* A section of which one copy is enough. */
static bool is_common(const struct elf *elf, const Elf64_Shdr *section) {
    static const char *const linker[] = {
        ".got",           ".got.plt",     ".dynamic", ".init_array",     ".fini_array",
        ".preinit_array", ".ctors",       ".dtors",   ".tm_clone_table", ".jcr",
        ".bsim_common",   ".bsim_unread", NULL};
    const char *name = name_of(elf, section);
    if ((section->sh_flags & SHF_ALLOC) == 0 || (section->sh_flags & SHF_WRITE) == 0 ||
        (section->sh_flags & SHF_TLS) != 0 || text_is_one_of(name, linker))
        return true;
    if (strcmp(name, ".data") == 0 && section->sh_size <= COMPILER_DATA_BYTES)
        return true;
    if (strcmp(name, ".bss") == 0 && is_compilers_bss(elf, section))
        return true;
    return section->sh_size == 0 || is_read_only_later(elf, section);
}

/* Without it thread-local variables would be those of the one thread that all ranks run in. */
static bool has_our_runtime(const struct elf *elf) {
    for (size_t i = 0; i < elf->header->e_shnum; i++)
        if (strcmp(name_of(elf, &elf->sections[i]), ".bsim_common") == 0)
            return true;
    return false;
}

bool variables_are_apart(const char *program) {
    struct stat status;
    int file = open(program, O_RDONLY | O_CLOEXEC);
    void *map = MAP_FAILED;
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (file >= 0)
        close(file);
    if (map == MAP_FAILED)
        return false;
    struct elf elf = {.bytes = map, .size = (size_t)status.st_size};
    bool apart = parse(&elf) && has_our_runtime(&elf);
    for (size_t i = 0; apart && i < elf.header->e_shnum; i++)
        apart = is_common(&elf, &elf.sections[i]);
    munmap(map, elf.size);
    return apart;
}
