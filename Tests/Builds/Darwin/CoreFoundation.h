// The declarations of CoreFoundation that MainLoop+Darwin.swift uses. Only for type-checking on other
// systems.

#ifndef INTERLOCK_CORE_FOUNDATION_H
#define INTERLOCK_CORE_FOUNDATION_H

#include <stdint.h>

typedef const struct __attribute__((objc_bridge(NSString))) __CFString *CFStringRef;
typedef CFStringRef CFRunLoopMode __attribute__((swift_wrapper(struct)));
extern const _Nonnull CFRunLoopMode kCFRunLoopDefaultMode __attribute__((swift_name("CFRunLoopMode.defaultMode")));
typedef int32_t CFRunLoopRunResult;
CFRunLoopRunResult CFRunLoopRunInMode(_Nonnull CFRunLoopMode, double seconds, _Bool returnAfterSourceHandled);

#endif
