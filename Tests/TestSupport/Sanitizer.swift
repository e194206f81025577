internal import Foundation

/// Says which sanitizer, if any, this process was built with.
package enum Sanitizer {
  /// Whether this is a build with ThreadSanitizer.
  package static let isThreadSanitizerActive = has("__tsan_init")

  /// Whether this is a build with AddressSanitizer.
  package static let isAddressSanitizerActive = has("__asan_init")

  /// Whether this is a build with ThreadSanitizer or AddressSanitizer.
  ///
  /// These sanitizers replace the allocator, and change how threads end.
  package static let isActive = isThreadSanitizerActive || isAddressSanitizerActive

  private static func has(_ symbol: String) -> Bool {
    dlsym(dlopen(nil, RTLD_NOW), symbol) != nil
  }
}
