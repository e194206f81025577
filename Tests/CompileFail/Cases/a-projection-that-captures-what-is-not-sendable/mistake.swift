// A projection that captures a non-Sendable object.
//
// Each task that awaits the values runs it: two threads use the captured object.
//
// It compiles in Swift 5 mode.

import Protectors

#if WRONG
  final class Format {
    var uses = 0

    func text(_ number: Int) -> String {
      uses += 1
      return String(number)
    }
  }
#else
  struct Format: Sendable {
    func text(_ number: Int) -> String { String(number) }
  }
#endif

func texts(_ number: Protector<Int>, _ format: Format) -> ProtectorValues<String> {
  number.values(of: { format.text($0) })
  // error: capture of 'format' with non-Sendable type 'Format' in a '@Sendable' closure
}
