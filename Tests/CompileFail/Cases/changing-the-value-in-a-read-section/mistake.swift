// Changing the value in a read section.
//
// Two readers run at the same time: one overwrites what the other has changed, or both break the storage.

import Protectors

func register(_ names: Protector<[String]>) {
  #if WRONG
    names.withReadLock { names in
      names.append("Ann")
      // error: cannot use mutating member on immutable value: 'names' is a 'let' constant
    }
  #else
    names.withWriteLock { names in
      names.append("Ann")
    }
  #endif
}
