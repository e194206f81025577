// Consuming a section's value without replacement.
//
// The next section finds a value that is gone: a file descriptor is closed twice.

import Protectors

struct File: ~Copyable {
  consuming func close() {}
}

func close(_ file: ExclusiveProtector<File>) {
  file.withLock { file in
    // error: missing reinitialization of inout parameter 'file' after consume
    file.close()
    #if !WRONG
      file = File()
    #endif
  }
}
