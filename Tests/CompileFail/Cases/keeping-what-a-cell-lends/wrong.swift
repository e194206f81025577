// Keeping a noncopyable value that a cell only lends.
//
// There are two owners, and two who close it.
//
// Not with Mutex, NSLock, pthread_rwlock, SerialQueue: they lend nothing; see “Consuming a noncopyable value in a section”.

import LazyInitialization

struct File: ~Copyable {
  consuming func close() {}
}

func close(_ file: borrowing OnceCell<File>) {
  file.withValue { $0.close() }
  // error: '$0' is borrowed and cannot be consumed
}
