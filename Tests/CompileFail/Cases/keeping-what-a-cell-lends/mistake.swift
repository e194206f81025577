// Keeping a cell's noncopyable value.
//
// There are two owners, and two who close it.

import LazyInitialization

struct File: ~Copyable {
  consuming func close() {}
}

#if WRONG
  func close(_ file: borrowing OnceCell<File>) {
    file.withValue { $0.close() }
    // error: '$0' is borrowed and cannot be consumed
  }
#else
  func close(_ file: consuming OnceCell<File>) {
    file.withValue { _ in }
  }
#endif
