import LazyInitialization

final class Log {
  var lines: [String] = []
}

actor Recorder {
  private let cell = OnceCell<Log>()

  func record(_ line: String) async {
    await cell.value(orInitialize: { Log() }).lines.append(line)
  }
}

func record(_ line: String, in recorder: Recorder) async {
  await recorder.record(line)
}
