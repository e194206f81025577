#define _GNU_SOURCE
#include "CContention.h"
#include "CInterlock.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
#include <elf.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#endif

// MARK: The stack

// The bounds of the calling thread's stack; both 0 before they are known.
static _Thread_local uintptr_t stack_low, stack_high;

static void find_stack(void) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
#if defined(__APPLE__)
    stack_high = (uintptr_t)pthread_get_stackaddr_np(pthread_self());
    stack_low = stack_high - pthread_get_stacksize_np(pthread_self());
#else
    pthread_attr_t attributes;
    void *low = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &low, &size);
        pthread_attr_destroy(&attributes);
    }
    stack_low = (uintptr_t)low;
    stack_high = stack_low + size;
#endif
    // The main thread's stack may have grown since, or the thread runs on a stack that the program has
    // allocated. Then only this page is known to be mapped.
    if (here < stack_low || here >= stack_high) {
        stack_low = here;
        stack_high = (here | 4095) + 1;
    }
}

// Removes the bits of a frame pointer or return address that are not part of the address. Swift marks the
// frames of asynchronous functions in bit 60, and arm64e signs return addresses in the bits above 47.
static uintptr_t plain(uintptr_t word) { return word & 0x0000ffffffffffff; }

__attribute__((noinline, no_sanitize("address", "thread"))) unsigned contention_stack(uintptr_t *addresses,
                                                                                     unsigned capacity) {
    if (stack_high == 0) find_stack();
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    unsigned count = 0;
    // Code without frame pointers may leave anything in the register. Each frame has to be above the one
    // before, and inside the stack.
    while (count < capacity && frame >= stack_low && frame + 2 * sizeof(uintptr_t) <= stack_high &&
           frame % sizeof(uintptr_t) == 0) {
        const uintptr_t *words = (const uintptr_t *)frame;
        uintptr_t address = plain(words[1]);
        if (address < 4096) break;
        addresses[count++] = address;
        uintptr_t next = plain(words[0]);
        if (next <= frame) break;
        frame = next;
    }
    return count;
}

// MARK: Symbols

#if defined(__linux__)
// The name of the function at `offset` bytes from where the file's first segment is loaded, from the file's
// table of all symbols; NULL if it has none.
static char *symbol_in_file(const char *path, uintptr_t offset) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return NULL;
    char *result = NULL;
    struct stat status;
    if (fstat(file, &status) != 0 || (size_t)status.st_size < sizeof(Elf64_Ehdr)) goto close_file;
    size_t size = (size_t)status.st_size;
    const char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) goto close_file;

    const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64) goto unmap;
    if (header->e_phoff + header->e_phnum * sizeof(Elf64_Phdr) > size) goto unmap;
    if (header->e_shoff + header->e_shnum * sizeof(Elf64_Shdr) > size) goto unmap;
    const Elf64_Phdr *segments = (const Elf64_Phdr *)(bytes + header->e_phoff);
    for (int i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_type != PT_LOAD) continue;
        offset += segments[i].p_vaddr & ~(uintptr_t)4095;
        break;
    }
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(bytes + header->e_shoff);
    for (int i = 0; i < header->e_shnum && result == NULL; i++) {
        if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
        const Elf64_Shdr *names = &sections[sections[i].sh_link];
        if (sections[i].sh_offset + sections[i].sh_size > size || names->sh_offset + names->sh_size > size) continue;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(bytes + sections[i].sh_offset);
        for (size_t j = 0; j < sections[i].sh_size / sizeof(Elf64_Sym); j++) {
            const Elf64_Sym *symbol = &symbols[j];
            if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_name >= names->sh_size) continue;
            if (offset < symbol->st_value || offset - symbol->st_value >= symbol->st_size) continue;
            const char *name = bytes + names->sh_offset + symbol->st_name;
            result = strndup(name, names->sh_size - symbol->st_name);
            break;
        }
    }
unmap:
    munmap((void *)bytes, size);
close_file:
    close(file);
    return result;
}
#endif

contention_function contention_function_at(uintptr_t address) {
    contention_function function = {NULL, NULL};
    Dl_info info;
    if (dladdr((const void *)address, &info) == 0 || info.dli_fname == NULL) return function;
    function.image = strdup(info.dli_fname);
#if defined(__linux__)
    // The loader knows exported symbols alone. For the program itself it has the name of the command, which
    // need not lead to the file.
    bool is_program = getauxval(AT_PHDR) - (uintptr_t)info.dli_fbase < 4096;
    function.symbol = symbol_in_file(is_program ? "/proc/self/exe" : info.dli_fname, address - (uintptr_t)info.dli_fbase);
#endif
    if (function.symbol == NULL && info.dli_sname != NULL) function.symbol = strdup(info.dli_sname);
    return function;
}

// A function of the Swift runtime.
extern char *swift_demangle(const char *symbol, size_t length, char *buffer, size_t *size, uint32_t flags);

char *contention_demangle(const char *symbol) { return swift_demangle(symbol, strlen(symbol), NULL, NULL, 0); }

// MARK: Beginning and end

const char *contention_path(void) { return interlock_environment("INTERLOCK_CONTENTION"); }

// Defined in Swift, in `AtLaunch.swift`.
void interlock_contention_begin_at_launch(void);

__attribute__((constructor)) static void begin_at_launch(void) {
    const char *path = contention_path();
    if (path != NULL && path[0] != '\0') interlock_contention_begin_at_launch();
}

static void (*at_exit)(void);
static pid_t process_with_report;

static void exit_of_process(void) {
    if (getpid() == process_with_report) at_exit();
}

void contention_call_at_exit(void (*function)(void)) {
    at_exit = function;
    process_with_report = getpid();
    atexit(exit_of_process);
}

void contention_call_in_child(void (*function)(void)) { pthread_atfork(NULL, NULL, function); }

long contention_process(void) { return getpid(); }

int contention_write(const char *path, const char *bytes, size_t size) {
    FILE *file = strcmp(path, "-") == 0 ? stderr : fopen(path, "we");
    if (file == NULL) return errno;
    int result = fwrite(bytes, 1, size, file) == size ? 0 : errno;
    if (file != stderr && fclose(file) != 0 && result == 0) result = errno;
    return result;
}
