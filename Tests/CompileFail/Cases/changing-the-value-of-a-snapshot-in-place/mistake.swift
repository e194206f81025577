// Changing a snapshot's value in place.
//
// Other readers see a half of the change, or the storage breaks.

import Snapshots

func register(_ names: Snapshot<[String]>) {
  #if WRONG
    names.withCurrent { names in
      names.append("Ann")
      // error: cannot use mutating member on immutable value: 'names' is a 'let' constant
    }
  #else
    names.update { names in
      names.append("Ann")
    }
  #endif
}
