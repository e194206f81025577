// Updating a snapshot of a noncopyable value.
//
// An update changes a copy, because readers still use the value itself.

import Snapshots

struct File: ~Copyable {
  var offset: Int
}

func rewind(_ file: Snapshot<File>) {
  #if WRONG
    file.update { $0.offset = 0 }
  // error: referencing instance method 'update' on 'Snapshot' requires that 'File' conform to
  // 'Copyable'
  #else
    file.publish(File(offset: 0))
  #endif
}
