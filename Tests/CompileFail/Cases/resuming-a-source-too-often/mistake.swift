// Resuming a dispatch source too often.
//
// The system ends the program without a word; or a suspension that somebody else needs is undone.
//
// Traps: ActivatedSource "sums": resumed more often than suspended; call resume() once for each suspend()

import Dispatch
import EventSources
import Lifecycles

func run() {
  let source = ActivatedSource<AddedData>(.adding(on: .global(), label: "sums"))
  source.activate()
  source.suspend()
  source.resume()
  #if WRONG
    source.resume()
  #endif
  source.invalidate()
  conclude(true, shouldBe: true)
}
