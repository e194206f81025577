// Assigning to a lazy value.
//
// Others borrow it where it is, without a lock, because it never changes.

import LazyInitialization

#if WRONG
  func reset(_ names: Lazy<[String]>) {
    names.value = []
    // error: cannot assign to property: 'value' is a get-only property
  }
#else
  func reset(_ names: Lazy<[String]>) -> Lazy<[String]> {
    return Lazy { [] }
  }
#endif
