/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions by address: the symbols of a module's file, those that it exports if it is stripped,
 * sorted once when the module is first asked for. The file is believed only within its length.
 */
#include "runtime/record/recorder.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct symbol {
    uint64_t begin, end;
    const char *name; /* in the file */
};

struct bsim__record_symbols {
    size_t count;
    struct symbol *items; /* by begin */
};

struct module_image {
    const uint8_t *bytes; /* stays mapped, for names */
    size_t length;
};

static struct module_image map_file(const char *path) {
    struct module_image image = {NULL, 0};
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && fstat(file, &info) == 0 && info.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (bytes != MAP_FAILED)
            image = (struct module_image){bytes, (size_t)info.st_size};
    }
    if (file >= 0)
        close(file);
    return image;
}

static bool is_within(const struct module_image *image, uint64_t offset, uint64_t bytes) {
    return offset <= image->length && bytes <= image->length - offset;
}

/* ---- Sections ---- */

static bool get_section(ElfW(Shdr) * out, const struct module_image *image, const ElfW(Ehdr) * head,
                        unsigned number) {
    uint64_t at = head->e_shoff + (uint64_t)number * sizeof *out;
    if (number >= head->e_shnum || !is_within(image, at, sizeof *out))
        return false;
    memcpy(out, image->bytes + at, sizeof *out);
    return out->sh_type == SHT_NOBITS || is_within(image, out->sh_offset, out->sh_size);
}

/* All symbols, or, in a stripped file, those that it exports. */
static bool find_table(ElfW(Shdr) * out, const struct module_image *image,
                       const ElfW(Ehdr) * head) {
    static const unsigned types[] = {SHT_SYMTAB, SHT_DYNSYM};
    for (size_t type = 0; type < 2; type++)
        for (unsigned i = 0; i < head->e_shnum; i++)
            if (get_section(out, image, head, i) && out->sh_type == types[type])
                return true;
    return false;
}

/* NULL: it has no name that ends within the file. */
static const char *name_of(const struct module_image *image, const ElfW(Shdr) * texts,
                           uint32_t at) {
    const char *name = (const char *)image->bytes + texts->sh_offset + at;
    return at > 0 && at < texts->sh_size && memchr(name, '\0', texts->sh_size - at) != NULL ? name
                                                                                            : NULL;
}

static void add(struct bsim__record_symbols *out, const struct module_image *image,
                const ElfW(Shdr) * texts, const ElfW(Sym) * of) {
    const char *name = name_of(image, texts, of->st_name);
    int type = ELF64_ST_TYPE(of->st_info); /* the same for both sizes */
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || of->st_value == 0 || name == NULL)
        return;
    out->items[out->count++] = (struct symbol){of->st_value, of->st_value + of->st_size, name};
}

static int by_begin(const void *a, const void *b) {
    const struct symbol *x = a, *y = b;
    return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin)
                                : strcmp(x->name, y->name);
}

static void read_symbols(struct bsim__record_symbols *out, const struct module_image *image) {
    ElfW(Ehdr) head;
    ElfW(Shdr) table, texts;
    if (!is_within(image, 0, sizeof head))
        return;
    memcpy(&head, image->bytes, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shentsize != sizeof table ||
        !find_table(&table, image, &head) || !get_section(&texts, image, &head, table.sh_link))
        return;
    size_t count = table.sh_size / sizeof(ElfW(Sym));
    out->items = malloc((count + 1) * sizeof *out->items);
    for (size_t i = 0; out->items != NULL && i < count; i++) {
        ElfW(Sym) symbol;
        memcpy(&symbol, image->bytes + table.sh_offset + i * sizeof symbol, sizeof symbol);
        add(out, image, &texts, &symbol);
    }
    if (out->items != NULL)
        qsort(out->items, out->count, sizeof *out->items, by_begin);
}

/* ---- Questions ---- */

const char *bsim__record_function_at(struct bsim__record_module *module, uint64_t offset,
                                     uint64_t *distance) {
    struct module_image image;
    if (module->symbols == NULL) {
        module->symbols = calloc(1, sizeof *module->symbols);
        image = map_file(module->path);
        if (module->symbols != NULL)
            read_symbols(module->symbols, &image);
    }
    const struct bsim__record_symbols *of = module->symbols;
    size_t low = 0, high = of != NULL ? of->count : 0;
    while (low < high) { /* the first that begins behind the offset */
        size_t middle = low + (high - low) / 2;
        if (of->items[middle].begin <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || offset >= of->items[low - 1].end)
        return NULL;
    *distance = offset - of->items[low - 1].begin;
    return of->items[low - 1].name;
}

void bsim__record_hash_file(char *out, size_t size, const char *path) {
    struct module_image image = map_file(path);
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < image.length; i++)
        hash = (hash ^ image.bytes[i]) * 1099511628211u;
    if (image.bytes == NULL)
        return;
    snprintf(out, size, "%016llx", (unsigned long long)hash);
    munmap((void *)image.bytes, image.length);
}
