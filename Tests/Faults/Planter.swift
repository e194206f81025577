import Foundation

// Plants the faults of a list in a copy of the package, for mutation testing. Each fault has a number, and
// the environment variable `INTERLOCK_FAULT` of a test run selects one fault. This program can also list the
// faults that weaken a memory ordering.

struct Failure: Error, CustomStringConvertible {
  var description: String
}

// MARK: Faults

/// A small deliberate mistake: some lines of a file, and the lines that replace them if a test run chooses
/// this fault.
struct Fault {
  /// The number of earlier places in the file with the same lines; `nil` if there must be one place only.
  var occurrence: Int?
  var file = ""
  var old: [String] = []
  var new: [String] = []
  /// The tests that can notice the fault, as a filter for `swift test`; empty if there are none.
  var tests = ""
  /// The tests in `ExplorationTests` that can notice the fault; empty if there are none.
  var explored = ""
  /// The tests that count lines, as a filter.
  var counted = ""
  /// The tests of Darwin's files, as a filter after variables of the environment.
  var onDarwin = ""

  var text: String {
    let place = occurrence.map { " #\($0 + 1)" } ?? ""
    return
      (["file: \(file)\(place)"] + old.map { "old: \($0)" } + new.map { "new: \($0)" }
      + (tests.isEmpty ? [] : ["tests: \(tests)"])
      + (explored.isEmpty ? [] : ["explored: \(explored)"]) + (counted.isEmpty ? [] : ["lines: \(counted)"])
      + (onDarwin.isEmpty ? [] : ["darwin: \(onDarwin)"]))
      .joined(separator: "\n")
  }

  /// Parses a list of faults: blocks of lines, with a blank line between two blocks.
  ///
  /// Throws if the list is empty or malformed.
  static func parse(_ text: String) throws -> [Fault] {
    let faults: [Fault] = try text.components(separatedBy: "\n\n").compactMap { block in
      var fault = Fault()
      for line in block.split(separator: "\n") where !line.hasPrefix("#") {
        guard let colon = line.firstIndex(of: ":") else { throw Failure(description: "no key in '\(line)'") }
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        switch line[..<colon] {
        case "file":
          let parts = value.components(separatedBy: " #")
          fault.file = parts[0]
          if parts.count > 1 { fault.occurrence = Int(parts[1])! - 1 }
        case "old": fault.old.append(value)
        case "new": if !value.isEmpty { fault.new.append(value) }
        case "tests": fault.tests = value
        case "explored": fault.explored = value
        case "lines": fault.counted = value
        case "darwin": fault.onDarwin = value
        default: throw Failure(description: "unknown key in '\(line)'")
        }
      }
      if fault.file.isEmpty, fault.old.isEmpty { return nil }
      guard !fault.file.isEmpty, !fault.old.isEmpty,
        !(fault.tests + fault.explored + fault.counted + fault.onDarwin).isEmpty
      else {
        throw Failure(
          description: "file, old, or tests, explored, lines and darwin are missing in:\n\(block)")
      }
      return fault
    }
    if faults.isEmpty { throw Failure(description: "the list has no fault") }
    return faults
  }
}

// MARK: Lines

extension String {
  var trimmed: String { trimmingCharacters(in: .whitespaces) }

  var withoutComment: String { components(separatedBy: "  //")[0] }

  /// Whether all brackets and quotation marks in the text are balanced.
  var isBalanced: Bool {
    var depth = 0
    for character in self {
      if "([{".contains(character) { depth += 1 }
      if ")]}".contains(character) { depth -= 1 }
      if depth < 0 { return false }
    }
    return depth == 0 && filter { $0 == "\"" }.count % 2 == 0
  }
}

extension String {
  /// The parts of the text between its commas; commas in brackets or string literals don't count.
  var conditions: [String] {
    components(separatedBy: ", ").reduce(into: []) { parts, part in
      if let last = parts.last, !last.isBalanced {
        parts[parts.count - 1] = last + ", " + part
      } else {
        parts.append(part)
      }
    }
  }
}

/// An expression in a line of code that a fault can replace by another expression.
///
/// `head` is the line's text before the expression, and `tail` is the text after it.
struct Slot {
  var head: String
  var expression: String
  var tail: String

  init?(_ head: some StringProtocol, _ expression: some StringProtocol, _ tail: some StringProtocol) {
    (self.head, self.expression, self.tail) = (String(head), String(expression), String(tail))
    guard self.expression.isBalanced, !self.expression.isEmpty else { return nil }
  }

  /// The expressions in a line that can be replaced by another expression.
  static func all(in line: String) -> [Slot] {
    let code = line.withoutComment
    // In C, faults choose between statements.
    if code.hasSuffix(";") { return [] }
    var slots: [Slot] = []
    for (start, end) in [
      ("if ", " {"), ("} else if ", " {"), ("while ", " {"), ("guard ", " else {"), ("switch ", " {"),
    ] where code.hasPrefix(start) {
      // If the body is on the same line, the conditions end at the first brace, otherwise at the last one.
      let options: String.CompareOptions = end == " {" && code.hasSuffix("}") ? [] : .backwards
      guard let range = code.range(of: end, options: options),
        range.lowerBound > code.index(code.startIndex, offsetBy: start.count)
      else { continue }
      let conditions = code[code.index(code.startIndex, offsetBy: start.count)..<range.lowerBound]
      // A condition can be replaced as a whole, and so can the value of a `let` binding. Patterns and other
      // bindings can't be replaced.
      var head = start
      let parts = String(conditions).conditions
      for (index, part) in parts.enumerated() {
        let tail = parts[(index + 1)...].map { ", " + $0 }.joined() + code[range.lowerBound...]
        if let binding = part.firstMatch(of: /^let \w+ = (.+)$/) {
          if let slot = Slot(head + part[..<binding.1.startIndex], binding.1, tail) { slots.append(slot) }
        } else if !part.hasPrefix("let "), !part.hasPrefix("case "), !part.hasPrefix("var "),
          let slot = Slot(head, part, tail)
        {
          slots.append(slot)
        }
        head += part + ", "
      }
    }
    if let match = code.firstMatch(of: /^(?:case [^:]+: )?return (.+)$/),
      let slot = Slot(code[..<match.1.startIndex], match.1, "")
    {
      slots.append(slot)
    }
    if let match = code.firstMatch(of: /^(?:let |var )?[\w.\[\]:?,() ]+ [-+&|]?= (.+)$/),
      let slot = Slot(code[..<match.1.startIndex], match.1, "")
    {
      slots.append(slot)
    }
    if let match = code.firstMatch(of: /^[^{}]*(?:var|func) [^{}]* \{ (.+) \}$/),
      let slot = Slot(code[..<match.1.startIndex], match.1, " }")
    {
      slots.append(slot)
    }
    return slots.filter { line.hasPrefix($0.head) }
  }

  /// The expression of `old` that differs in `new`, and the expression in its place.
  ///
  /// `nil` if the lines differ in anything else.
  static func difference(_ old: String, _ new: String) -> (slot: Slot, expression: String)? {
    for slot in all(in: old) {
      guard new.hasPrefix(slot.head), new.hasSuffix(slot.tail) else { continue }
      let end = new.index(new.endIndex, offsetBy: -slot.tail.count)
      let start = new.index(new.startIndex, offsetBy: slot.head.count)
      guard start < end else { continue }
      return (slot, String(new[start..<end]))
    }
    return nil
  }
}

/// The lines of a source file.
struct Source {
  var lines: [String]

  init(_ text: String) { lines = text.components(separatedBy: "\n") }

  func matches(_ fault: Fault, at index: Int) -> Bool {
    guard index + fault.old.count <= lines.count else { return false }
    return zip(lines[index...], fault.old).allSatisfy { $0.trimmed == $1 }
  }

  /// The first line that the fault replaces; throws if there are several, and the fault does not say which.
  func place(of fault: Fault) throws -> Int? {
    let places = lines.indices.filter { matches(fault, at: $0) }
    if fault.occurrence == nil, places.count > 1 {
      throw Failure(description: "\(places.count) places have these lines, name one as '#1':\n\(fault.text)")
    }
    return places.dropFirst(fault.occurrence ?? 0).first
  }

  /// The number of lines of the statement that begins at the line `index`; 6 if it has more.
  func length(at index: Int) -> Int {
    var end = index
    while end < min(index + 5, lines.count), !isEnd(end, from: index) { end += 1 }
    return end + 1 - index
  }

  /// Whether the statement that begins at `start` ends with the line `index`.
  private func isEnd(_ index: Int, from start: Int) -> Bool {
    let statement = joined(lines[start...index].map(\.trimmed))
    return isWhole(index, statement)
  }

  /// Whether the line `index` is a whole statement, provided that a statement begins there.
  func isWhole(_ index: Int) -> Bool { isWhole(index, lines[index].trimmed) }

  private func isWhole(_ index: Int, _ line: String) -> Bool {
    guard line.isBalanced, let last = line.last, !"{([,=".contains(last), !line.hasSuffix("||"),
      !line.hasSuffix("&&"), !line.hasSuffix("->")
    else { return false }
    guard index + 1 < lines.count else { return true }
    let next = lines[index + 1].trimmed
    return ![".", "?", ":", "&&", "||", "+", "{", "(", "else"].contains { next.hasPrefix($0) }
  }
}

// MARK: Planting

/// Plants faults in a copy of the package.
///
/// - Parameters:
///   - faults: The faults with their numbers.
///   - folder: The folder of the copy.
/// - Throws: A `Failure` if a file lacks the lines of a fault, or if the fault can't be planted there.
func plant(_ faults: [(number: Int, fault: Fault)], in folder: String) throws {
  for (file, faults) in Dictionary(grouping: faults, by: \.fault.file) {
    let path = folder + "/" + file
    var source = Source(try String(contentsOfFile: path, encoding: .utf8))
    let places = try faults.map { number, fault in
      guard let place = try source.place(of: fault) else {
        throw Failure(description: "fault \(number): \(file) does not have these lines:\n\(fault.text)")
      }
      return ((number: number, fault: fault), place..<(place + fault.old.count))
    }
    // Faults whose lines overlap become one statement. The faults at the end of the file are planted first,
    // so that the line numbers of earlier faults stay valid.
    for here in overlapping(places).reversed() {
      let range = here.map(\.1).reduce(here[0].1) { $0.lowerBound..<max($0.upperBound, $1.upperBound) }
      let old = source.lines[range].map(\.trimmed)
      // For each fault of the group, computes the new text of all lines of the group.
      let changes = here.map { fault, place in
        let before = source.lines[range.lowerBound..<place.lowerBound].map(\.trimmed)
        let after = source.lines[place.upperBound..<range.upperBound].map(\.trimmed)
        return (fault.number, before + fault.fault.new + after)
      }
      // `switched(_:_:)` puts the original lines and their replacements into the branches of an `if`. That is
      // impossible for lines that open a block, because the block ends outside the `if`. A `defer` would run
      // too early, at the end of its branch. In both cases, only an expression of the lines can change.
      let isBoundToBlock =
        old.last!.withoutComment.hasSuffix("{")
        || (old + changes.flatMap(\.1)).contains { $0.hasPrefix("defer") }
      guard
        !isBoundToBlock || changes.allSatisfy({ Slot.difference(joined(old), joined($0.1)) != nil })
      else {
        throw Failure(
          description: "\(file):\(range.lowerBound + 1): only an expression of this line can change")
      }
      source.lines.replaceSubrange(range, with: [switched(old, changes)])
    }
    // Adds an import of `CInterlock`, which declares `interlock_is_planted`, at the top of the file or below
    // an `#if os` there. Files in C include it.
    if file.hasSuffix(".swift") {
      let first = source.lines.prefix(3).firstIndex { $0.trimmed.hasPrefix("#if os") } ?? -1
      source.lines.insert("public import CInterlock", at: first + 1)
      source.lines.removeAll { $0.trimmed == "internal import CInterlock" }
    }
    try source.lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }
}

/// Groups the faults: faults whose lines overlap are in one group.
func overlapping<Element>(_ faults: [(Element, Range<Int>)]) -> [[(Element, Range<Int>)]] {
  var end = 0
  return faults.sorted { $0.1.lowerBound < $1.1.lowerBound }.reduce(into: []) { groups, fault in
    if fault.1.lowerBound < end {
      groups[groups.count - 1].append(fault)
    } else {
      groups.append([fault])
    }
    end = max(end, fault.1.upperBound)
  }
}

/// Joins the lines of a statement into one line, without their comments.
func joined(_ lines: [String]) -> String {
  lines.map(\.withoutComment).joined(separator: " ").replacingOccurrences(of: "( ", with: "(")
}

/// Makes code that runs the replacement lines of the chosen fault if it is one of `faults`; otherwise the
/// original lines, `old`.
func switched(_ old: [String], _ faults: [(number: Int, new: [String])]) -> String {
  // If this condition holds, the original lines are one statement. If each fault changes only an expression
  // of that statement, the code chooses between expressions, not between statements.
  if old.count == 1 || !old[0].isBalanced || old[0].hasSuffix("=") || old[1].hasPrefix(".") {
    let differences = faults.map { Slot.difference(joined(old), joined($0.new)) }
    if differences.allSatisfy({ $0 != nil }) {
      return switched(joined(old), zip(faults, differences).map { ($0.number, $1!.slot, $1!.expression) })
    }
  }
  let choices = faults.map {
    "if (interlock_is_planted(\($0.number))) {\n\($0.new.joined(separator: "\n"))\n} else "
  }
  // The original lines are not joined, because one of them may end with a comment.
  return choices.joined() + "{\n" + old.joined(separator: "\n") + "\n}"
}

/// Makes a line in which each expression that a fault changes is a conditional expression.
///
/// The conditional expression chooses the fault's replacement if the test run has chosen the fault, otherwise
/// the original expression.
func switched(_ line: String, _ changes: [(number: Int, slot: Slot, new: String)]) -> String {
  var line = line
  // The last expressions are replaced first, so that the positions of earlier ones stay valid.
  for (start, here) in Dictionary(grouping: changes, by: \.slot.head.count).sorted(by: { $0.key > $1.key }) {
    let old = here[0].slot.expression
    let choices = here.map { "interlock_is_planted(\($0.number)) ? (\($0.new)) : " }
    let range = line.index(line.startIndex, offsetBy: start)...
    line.replaceSubrange(
      range, with: "(" + choices.joined() + "(" + old + "))" + line[range].dropFirst(old.count))
  }
  return line
}

// MARK: Weaker orderings

/// Pairs of texts: code with a memory ordering, and the same code with the next weaker ordering.
let weakerOrderings: [(String, String)] = [
  ("loadSequentiallyConsistent()", "loadAcquiring()"), ("loadAcquiring()", "loadRelaxed()"),
  ("stateSequentiallyConsistent()", "state()"),
  ("exchangeSequentiallyConsistent(", "exchangeAcquiringAndReleasing("),
  ("addSequentiallyConsistent(", "addAcquiringAndReleasing("),
  ("compareExchangeSequentiallyConsistent(", "compareExchangeAcquiringAndReleasing("),
  ("compareExchangeAcquiring(", "compareExchangeRelaxed("),
  ("compareExchangeReleasing(", "compareExchangeRelaxed("),
  ("exchangeReleasing(", "exchangeRelaxed("), ("addReleasing(", "addRelaxed("),
  ("subtractReleasing(", "subtractRelaxed("),
  ("(ordering: .acquiring)", "(ordering: .relaxed)"),
  ("(1, ordering: .acquiringAndReleasing)", "(1, ordering: .relaxed)"),
  // With the weaker ordering, a load is only acquiring and a store is only releasing.
  (", .sequentiallyConsistent)", ", .acquiringAndReleasing)"),
  ("(.sequentiallyConsistent)", "(.acquiringAndReleasing)"),
  (", .acquiring)", ", .relaxed)"), ("(.acquiring)", "(.relaxed)"), (", .releasing)", ", .relaxed)"),
  (", .acquiringAndReleasing)", ", .acquiring)"), (", .acquiringAndReleasing)", ", .releasing)"),
]

/// The faults of a file that weaken one memory ordering by one step, without duplicates.
func weakened(_ file: String, tests: String, explored: String) throws -> [Fault] {
  let source = Source(try String(contentsOfFile: file, encoding: .utf8))
  var faults: [Fault] = []
  var end = 0
  var needsTrait = false
  for index in source.lines.indices where index >= end {
    let first = source.lines[index].trimmed.withoutComment
    if first.hasPrefix("#") { needsTrait = first == "#if Exploration" || first == "#if DeadlockDetection" }
    if needsTrait || first.isEmpty || first.hasPrefix("//") { continue }
    let length = first.hasSuffix("{") ? 1 : source.length(at: index)
    // Skips a statement of more than four lines, and one that opens a closure. Their later lines are still
    // considered.
    guard length <= 4, index + length <= source.lines.count, length == 1 || !first.hasSuffix(" in") else {
      continue
    }
    end = index + length
    let old = source.lines[index..<end].map(\.trimmed)
    let line = joined(old)
    if line.contains("public "), !line.contains("{") { continue }
    // The whole line counts as an expression too, unless it opens a block or contains one of these keywords.
    let declares = #/^(guard|let|var|return|case|func|@)|^[\w ]*\b(let|var|func) /#
    let whole = line.hasSuffix("{") || line.contains(declares) ? nil : Slot("", line, "")
    for slot in Slot.all(in: line) + [whole].compactMap(\.self) {
      for changed in weakerOrderings.flatMap({ slot.expression.exchanging($0, for: $1) }) {
        var fault = Fault(
          file: file, old: old, new: [slot.head + changed + slot.tail], tests: tests, explored: explored)
        fault.occurrence = (0..<index).count { source.matches(fault, at: $0) }
        faults.append(fault)
      }
    }
  }
  var texts: Set<String> = []
  return faults.filter { texts.insert($0.text).inserted }
}

extension String {
  /// For each occurrence of `old`, the string with only that occurrence replaced.
  func exchanging(_ old: String, for new: String) -> [String] {
    var results: [String] = []
    var search = startIndex
    while let range = range(of: old, range: search..<endIndex) {
      // An occurrence that is part of a longer name is skipped.
      let isPart = old.first!.isLetter && self[..<range.lowerBound].last?.isLetter == true
      if !isPart { results.append(replacingCharacters(in: range, with: new)) }
      search = range.upperBound
    }
    return results
  }
}

// MARK: Commands

let arguments = CommandLine.arguments
do {
  switch arguments.dropFirst().first {
  case "plant":
    // plant LIST FOLDER: plants all faults of the list, and prints their numbers.
    let faults = try Fault.parse(String(contentsOfFile: arguments[2], encoding: .utf8))
    try plant(faults.enumerated().map { ($0.offset + 1, $0.element) }, in: arguments[3])
    for number in 1...faults.count { print(number) }
  case "show":
    print(try Fault.parse(String(contentsOfFile: arguments[2], encoding: .utf8))[Int(arguments[3])! - 1].text)
  case "orderings":
    // orderings TESTS EXPLORED FILE…: prints every fault of the files that weakens one memory ordering.
    for file in arguments[4...] {
      for fault in try weakened(file, tests: arguments[2], explored: arguments[3]) {
        print(fault.text + "\n")
      }
    }
  default: throw Failure(description: "plant, show or orderings?")
  }
} catch {
  FileHandle.standardError.write(Data("faults: \(error)\n".utf8))
  exit(1)
}
