// Releasing an inactive dispatch source.
//
// The system ends the program, somewhere, without a word.
//
// Traps: ActivatedSource "sums": deallocated before it was activated; call invalidate() also if it isn't wanted any more

import Dispatch
import EventSources
import Lifecycles

func run() {
  let source = ActivatedSource<AddedData>(.adding(on: .global(), label: "sums"))
  withExtendedLifetime(source) {}
  #if !WRONG
    source.invalidate()
  #endif
  conclude(true, shouldBe: true)
}
