// Resuming a dispatch source too often.
//
// The system ends the program without a word; or a suspension that somebody else needs is undone.
//
// Traps: ActivatedSource "sums": resumed more often than suspended; call resume() once for each suspend()
//
// Not with Mutex, NSLock, pthread_rwlock: they call nobody.

import CaseSupport
import Dispatch
import EventSources
import Lifecycles

@main enum Program {
  static func main() {
    let source = ActivatedSource<AddedData>(.adding(on: .global(), label: "sums"))
    source.activate()
    source.suspend()
    source.resume()
    source.resume()
    source.invalidate()
    conclude(true, shouldBe: true)
  }
}
