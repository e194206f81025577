internal import CTestSupport
internal import Foundation

/// The call stacks of the process's other threads, for the watchdog's report.
enum ThreadStacks {
  private struct Stack: Hashable {
    var addresses: [UInt]
  }

  /// A text with the stacks of all threads except the calling one.
  ///
  /// Threads with identical stacks are reported together.
  static var report: String {
    let threads = numbers
    let stacks = threads.map { number in
      // Leaves out the two innermost calls: the signal handler, and the system's return from it.
      Stack(addresses: Array(addresses(ofThread: number).dropFirst(2)))
    }
    let names = names(of: Set(stacks.flatMap(\.addresses)))
    return Dictionary(grouping: zip(threads, stacks), by: \.1)
      .sorted { $0.value[0].0 < $1.value[0].0 }
      .map { stack, threads in
        let title = threads.map { "\($0.0) (\(comment(onThread: $0.0)))" }.joined(separator: ", ")
        let frames = stack.addresses.compactMap { names[$0] }.map { "    \($0)\n" }.joined()
        return "Thread \(title):\n" + (frames.isEmpty ? "    did not answer\n" : frames)
      }
      .joined()
  }

  /// The system's thread IDs of all threads except the calling one.
  private static var numbers: [Int32] {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"))
      .flatMap { $0.split(separator: "/").last }.flatMap { Int32($0) }
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return entries.compactMap { Int32($0) }.filter { $0 != own }.sorted()
  }

  /// The thread's name and its state, or "has ended".
  ///
  /// The state is a letter of the system: R for running, S for sleeping, D for waiting for a device. The name
  /// is in brackets, and may itself contain brackets, so it ends at the last one.
  private static func comment(onThread number: Int32) -> String {
    let text = (try? String(contentsOfFile: "/proc/self/task/\(number)/stat", encoding: .utf8)) ?? ""
    guard let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")") else { return "has ended" }
    return text[text.index(after: start)..<end] + " " + text[end...].dropFirst(2).prefix(1)
  }

  private static func addresses(ofThread number: Int32) -> [UInt] {
    withUnsafeTemporaryAllocation(
      of: UnsafeMutableRawPointer?.self, capacity: test_stack_capacity
    ) { buffer in
      buffer.initialize(repeating: nil)
      let count = test_stack(number, buffer.baseAddress!)
      return buffer[..<Int(count)].compactMap { $0.map { UInt(bitPattern: $0) } }
    }
  }

  // MARK: Names

  /// Maps each address to its function and source line, which the toolchain's `llvm-symbolizer` finds.
  ///
  /// If the tool is missing or does not know the address, the result is the name of the binary and the offset
  /// in it, or else the address itself.
  private static func names(of addresses: Set<UInt>) -> [UInt: String] {
    var names: [UInt: String] = [:]
    var questions: [(address: UInt, line: String)] = []
    for address in addresses {
      var offset: UInt = 0
      // A return address is just after the call, so the byte before the address identifies the call.
      guard let code = UnsafeRawPointer(bitPattern: address - 1), let file = test_code_file(code, &offset)
      else {
        names[address] = "0x" + String(address, radix: 16)
        continue
      }
      let (path, place) = (String(cString: file), "0x" + String(offset, radix: 16))
      names[address] = "\(path.split(separator: "/").last ?? "")+\(place)"
      questions.append((address, "\"\(path)\" \(place)"))
    }
    let answers = symbolizer(questions.map(\.line))
    guard answers.count == questions.count else { return names }
    for (question, answer) in zip(questions, answers) where !answer.hasPrefix("??") {
      names[question.address] = readable(answer)
    }
    return names
  }

  /// Shortens a line such as `$s4Shop4sellyyF at /path/File.swift:7:3` to `Shop.sell() -> () at
  /// File.swift:7:3`.
  ///
  /// The function's name is demangled, and the file's folder is removed.
  private static func readable(_ line: String) -> String {
    let parts = line.components(separatedBy: " at ")
    let function = test_demangle(parts[0]).map { text in
      defer { free(text) }
      return String(cString: text)
    }
    guard parts.count == 2, !parts[1].hasPrefix("??") else { return function ?? parts[0] }
    return (function ?? parts[0]) + " at " + (parts[1].split(separator: "/").last ?? "")
  }

  private static func symbolizer(_ questions: [String]) -> [String] {
    let directory = FileManager.default.temporaryDirectory
    let input = directory.appendingPathComponent("stacks-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: input) }
    let process = Process()
    let output = Foundation.Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["llvm-symbolizer", "--no-inlines", "--pretty-print", "--output-style=GNU"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    do {
      try (questions.joined(separator: "\n") + "\n").write(to: input, atomically: false, encoding: .utf8)
      process.standardInput = try FileHandle(forReadingFrom: input)
      try process.run()
    } catch {
      return []
    }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }
}
