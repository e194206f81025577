// An observer that is no object.
//
// A value has no life that one could watch: a copy of it would be called for ever, or none at all.
//
// Traps: WeakObservers: given an observer of type Screen, which is no object; add an instance of a class

import Observers

protocol Observer {}

#if WRONG
  struct Screen: Observer {}
#else
  final class Screen: Observer {}
#endif

func run() {
  let screen = Screen()
  let observers = WeakObservers<any Observer>()
  observers.add(whileAlive: screen)
  var calls = 0
  observers.forEach { _ in calls += 1 }
  withExtendedLifetime(screen) {}
  conclude(calls, shouldBe: 1)
}
