import Foundation
import Synchronization

/// A program to run with a time limit.
struct Command {
  var executable: URL
  var arguments: [String] = []

  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
    case timeout
  }

  struct Result {
    var end: End
    var output: String
    var errors: String
  }

  /// Held while a process is started, so that only one starts at a time.
  ///
  /// Foundation gives each process a file descriptor, and considers the process ended when all copies of the
  /// descriptor are closed. A second process that started at the same time could inherit a copy. The first
  /// process would then seem to run until the second one ends.
  private static let start = Mutex(())

  /// Runs the program, and returns how it ended and what it printed; kills it if it runs longer than `limit`.
  ///
  /// The program's output goes to files in `folder`, so that the program never waits for a reader.
  func run(in folder: URL, limit: DispatchTimeInterval) throws -> Result {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    let name = UUID().uuidString
    let outputFile = folder.appendingPathComponent("\(name).out")
    let errorFile = folder.appendingPathComponent("\(name).err")
    let (output, errors) = (try Self.emptyFile(outputFile), try Self.emptyFile(errorFile))
    process.standardOutput = output
    process.standardError = errors

    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try Self.start.withLock { _ in try process.run() }
    try output.close()
    try errors.close()
    let isLate = ended.wait(timeout: .now() + limit) == .timedOut
    if isLate {
      kill(process.processIdentifier, SIGKILL)
      ended.wait()
    }
    let end: End =
      if process.terminationReason == .exit {
        .exit(process.terminationStatus)
      } else if isLate && process.terminationStatus == SIGKILL {
        .timeout
      } else {
        .signal(process.terminationStatus)
      }
    return Result(end: end, output: try Self.text(of: outputFile), errors: try Self.text(of: errorFile))
  }

  private static func emptyFile(_ url: URL) throws -> FileHandle {
    try Data().write(to: url)
    return try FileHandle(forWritingTo: url)
  }

  private static func text(of url: URL) throws -> String {
    String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }
}
