internal import CInterlock

/// The processor's constant-rate counter, for comparing durations that were measured on it; in no particular unit.
package enum Ticks {
  package static var now: UInt64 { interlock_ticks() }
}
