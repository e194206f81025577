// A non-Sendable value that leaves an actor's cell.
//
// The actor and its caller then use the value at the same time.
//
// It compiles in Swift 5 mode.

import LazyInitialization

final class Log {
  var lines: [String] = []
}

actor Recorder {
  private let cell = OnceCell<Log>()

  #if WRONG
    func log() async -> Log {
      await cell.value(orInitialize: { Log() })
    }
  #else
    func record(_ line: String) async {
      await cell.value(orInitialize: { Log() }).lines.append(line)
    }
  #endif
}

func record(_ line: String, in recorder: Recorder) async {
  #if WRONG
    await recorder.log().lines.append(line)
  // error: non-Sendable 'Log'-typed result can not be returned from actor-isolated instance method
  // 'log()' to nonisolated context
  #else
    await recorder.record(line)
  #endif
}
