#if defined(__linux__)
#define _GNU_SOURCE  // dladdr, dl_iterate_phdr
#endif
#include "CInterlock.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// Weak, because a program without dynamic linking has no loader, and the linker would warn of it.
extern __typeof__(dladdr) dladdr __attribute__((weak));
extern __typeof__(dlopen) dlopen __attribute__((weak));

void interlock_keep_loaded(void) {
    Dl_info image;
    if (dladdr == NULL || dlopen == NULL || dladdr((const void *)interlock_keep_loaded, &image) == 0) return;
    // The handle is never closed. For the program itself, which is never unloaded, there may be none.
    (void)dlopen(image.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

#if !defined(INTERLOCK_SEPARATE_IMAGES)

// An image is a program or a dynamic library. Each image that these modules are linked into has tables of its own, so a
// primitive that two images share protects nothing. This note marks such an image. The linker keeps it, also where it
// removes unused sections, and puts it into a segment that other images find. AddressSanitizer would append bytes to it.
static const struct {
    ElfW(Word) name_size, content_size, type;
    char name[12];
} note __attribute__((used, section(".note.interlock"), aligned(4), no_sanitize("address"))) = {
    sizeof "Interlock", 0, 1, "Interlock"};

typedef struct {
    const char *own, *other;
} image_names;

// Whether the segment is in memory. A damaged file may have a segment of notes that is not.
static bool is_loaded(const struct dl_phdr_info *image, const ElfW(Phdr) *segment) {
    for (const ElfW(Phdr) *load = image->dlpi_phdr; load < image->dlpi_phdr + image->dlpi_phnum; load++) {
        if (load->p_type == PT_LOAD && (load->p_flags & PF_R) != 0 && segment->p_vaddr >= load->p_vaddr &&
            segment->p_memsz <= load->p_memsz && segment->p_vaddr - load->p_vaddr <= load->p_memsz - segment->p_memsz) {
            return true;
        }
    }
    return false;
}

// Sets a name if the image has the note. Notes are aligned to 4 or 8 bytes.
static int look_for_note(struct dl_phdr_info *image, size_t size, void *names) {
    (void)size;
    for (const ElfW(Phdr) *segment = image->dlpi_phdr; segment < image->dlpi_phdr + image->dlpi_phnum; segment++) {
        if (segment->p_type != PT_NOTE || !is_loaded(image, segment)) continue;
        const char *start = (const char *)(image->dlpi_addr + segment->p_vaddr);
        for (size_t offset = 0; offset + sizeof note <= segment->p_memsz; offset += 4) {
            const void *found = start + offset;
            if (memcmp(found, &note, sizeof note) != 0) continue;
            if (found == &note) ((image_names *)names)->own = image->dlpi_name;
            else ((image_names *)names)->other = image->dlpi_name;
        }
    }
    return 0;
}

// The name of a program is empty.
static const char *text(const char *name) { return *name != 0 ? name : "the program"; }

// Traps where the program or a library that it has loaded contains the modules, too.
__attribute__((constructor)) static void check_other_images(void) {
    image_names names = {"", NULL};
    dl_iterate_phdr(look_for_note, &names);
    if (names.other == NULL) return;
    char line[2 * PATH_MAX + 256];
    snprintf(line, sizeof line,
             "Interlock: modules: linked into two images of one process, %s and %s, whose locks don't exclude each other; "
             "link both with one dynamic library of the modules or, if they share no primitive, build all but one with the "
             "trait SeparateImages\n",
             text(names.other), text(names.own));
    interlock_print_last_words(line);
    interlock_trap();
}

#endif

#else

// Apple's systems unload no image with Swift code.
void interlock_keep_loaded(void) {}

#endif
