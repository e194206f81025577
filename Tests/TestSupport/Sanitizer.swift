#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#else
  internal import Musl
#endif

/// What a sanitizer changes about the process that the tests run in.
package enum Sanitizer {
  /// Whether this is a build with ThreadSanitizer, which has an allocator of its own.
  package static let isThreadSanitizerActive = dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil
}
