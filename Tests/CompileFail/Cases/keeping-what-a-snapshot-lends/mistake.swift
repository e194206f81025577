// Keeping a snapshot's noncopyable value.
//
// The value is destroyed when it has been replaced and its readers have left; whoever keeps it uses it after that.

import Snapshots

struct File: ~Copyable {
  let descriptor: Int
}

func take(_ file: Snapshot<File>) -> Int {
  #if WRONG
    let file = file.withCurrent { $0 }
    // error: '$0' is borrowed and cannot be consumed
    return file.descriptor
  #else
    let descriptor = file.withCurrent { $0.descriptor }
    return descriptor
  #endif
}
