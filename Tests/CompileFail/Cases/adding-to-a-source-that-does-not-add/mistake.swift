// Adding to a source that does not add.
//
// The system ends the program, or takes the number for something else.

import Dispatch
import EventSources

#if WRONG
  func count(_ source: ActivatedSource<ReadEvent>) {
    _ = source.add(1)
    // error: referencing instance method 'add' on 'ActivatedSource' requires the types 'ReadEvent' and
    // 'AddedData' be equivalent
  }
#else
  func count(_ source: ActivatedSource<AddedData>) {
    _ = source.add(1)
  }
#endif
