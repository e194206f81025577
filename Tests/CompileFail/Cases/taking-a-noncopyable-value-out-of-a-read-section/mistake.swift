// Taking a noncopyable value out of a read section.
//
// Two readers each take it: there are two owners, and two who close it.

import Protectors

struct File: ~Copyable {
  let descriptor: Int
}

func take(_ file: Protector<File>) -> Int {
  #if WRONG
    let file = file.withReadLock { $0 }
    // error: '$0' is borrowed and cannot be consumed
    return file.descriptor
  #else
    let descriptor = file.withReadLock { $0.descriptor }
    return descriptor
  #endif
}
