import Foundation
import Synchronization

/// A program to run until it ends or its time is over.
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

  /// The lock that is held while a process is started.
  ///
  /// Foundation gives each process a descriptor, and considers the process ended when all copies of this
  /// descriptor are closed. Without the lock, another process that starts at the same time could inherit a
  /// copy. While that other process runs, the first one would not seem to end.
  private static let start = Mutex(())

  /// Runs the program.
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
