// A projection that captures a non-Sendable object.
//
// Each task that awaits the values runs it: two threads use the captured object.
//
// It compiles in Swift 5 mode.

import Protectors

#if WRONG
  final class Format {
    var radix = 10
  }
#else
  final class Format: Sendable {
    let radix = 10
  }
#endif

func texts(_ number: Protector<Int>, _ format: Format) -> ProtectorValues<String> {
  number.values(of: { String($0, radix: format.radix) })
  // error: capture of 'format' with non-Sendable type 'Format' in a '@Sendable' closure
}
