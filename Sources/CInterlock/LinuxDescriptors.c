// Apart from Linux.c, because a program contains each object file as a whole of which it needs a function.
#if defined(__linux__)

#include "CInterlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

bool interlock_is_last_thread(void) {
    char text[512];
    int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    if (size <= 0) return false;
    text[size] = 0;
    // After the name in parentheses: the state of the main thread, 16 numbers, and the number of threads. The main
    // thread counts after its end, too.
    const char *end = strrchr(text, ')');
    char state;
    long threads;
    const char *format = ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %ld";
    return end != NULL && sscanf(end, format, &state, &threads) == 2 && state == 'Z' && threads == 2;
}

int32_t interlock_epoll_of(int32_t descriptor, bool for_writing) {
    int instance = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = for_writing ? EPOLLOUT : EPOLLIN};
    if (instance < 0) return -2;
    if (epoll_ctl(instance, EPOLL_CTL_ADD, descriptor, &event) == 0) return instance;
    int error = errno;
    close(instance);
    if (error != EPERM) return error == ENOMEM || error == ENOSPC ? -2 : -1;
    // A regular file, or a device that never makes anybody wait, such as /dev/null.
    instance = eventfd(1, EFD_CLOEXEC);
    return instance >= 0 ? instance : -2;
}

bool interlock_epoll_remove(int32_t instance, int32_t descriptor) {
    return epoll_ctl(instance, EPOLL_CTL_DEL, descriptor, NULL) == 0 || errno != ENOENT;
}

int32_t interlock_free_send_buffer(int32_t descriptor) {
    int size, queued;
    socklen_t length = sizeof size;
    if (getsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, &length) != 0) return 1;
    if (ioctl(descriptor, SIOCOUTQ, &queued) != 0 || queued >= size) return 1;
    return size - queued;
}

#endif
