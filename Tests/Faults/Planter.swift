import Foundation

// Plants the faults of a list in a copy of the package, each behind a number that the environment chooses;
// and draws faults.

struct Failure: Error, CustomStringConvertible {
  var description: String
}

// MARK: Faults

/// Lines of a file, and what takes their place while the fault is chosen.
struct Fault {
  /// How many such places there are in the file before this one.
  var occurrence = 0
  var file = ""
  var old: [String] = []
  var new: [String] = []
  var tests = ""

  var text: String {
    let place = occurrence == 0 ? "" : " #\(occurrence + 1)"
    return
      (["file: \(file)\(place)"] + old.map { "old: \($0)" } + new.map { "new: \($0)" }
      + ["tests: \(tests)", ""]).joined(separator: "\n")
  }

  /// The faults of a list: blocks of lines with a blank one between them.
  static func parse(_ text: String) throws -> [Fault] {
    try text.components(separatedBy: "\n\n").compactMap { block in
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
        default: throw Failure(description: "unknown key in '\(line)'")
        }
      }
      if fault.file.isEmpty, fault.old.isEmpty { return nil }
      guard !fault.file.isEmpty, !fault.old.isEmpty, !fault.tests.isEmpty else {
        throw Failure(description: "file, old or tests are missing in:\n\(block)")
      }
      return fault
    }
  }
}

// MARK: Lines

extension String {
  var trimmed: String { trimmingCharacters(in: .whitespaces) }

  /// Whether all brackets that begin here end here.
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
  /// What is between the commas that are in no brackets.
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

/// A line that consists of a head, an expression and a tail.
struct Slot {
  var head: String
  var expression: String
  var tail: String

  init?(_ head: some StringProtocol, _ expression: some StringProtocol, _ tail: some StringProtocol) {
    (self.head, self.expression, self.tail) = (String(head), String(expression), String(tail))
    guard self.expression.isBalanced, !self.expression.isEmpty else { return nil }
  }

  /// The expressions of a line that another one can take the place of.
  static func all(in line: String) -> [Slot] {
    let code = line.components(separatedBy: "  //")[0]
    var slots: [Slot] = []
    for (start, end) in [
      ("if ", " {"), ("} else if ", " {"), ("while ", " {"), ("guard ", " else {"),
    ] where code.hasPrefix(start) && !code.contains("_slowPath") && !code.contains("_fastPath") {
      // The body may be on the same line.
      let options: String.CompareOptions = end == " {" && code.hasSuffix("}") ? [] : .backwards
      guard let range = code.range(of: end, options: options),
        range.lowerBound > code.index(code.startIndex, offsetBy: start.count)
      else { continue }
      let conditions = code[code.index(code.startIndex, offsetBy: start.count)..<range.lowerBound]
      // Conditions that bind nothing, each of them.
      var head = start
      let parts = String(conditions).conditions
      for (index, part) in parts.enumerated() {
        let tail = parts[(index + 1)...].map { ", " + $0 }.joined() + code[range.lowerBound...]
        if !part.hasPrefix("let "), !part.hasPrefix("case "), !part.hasPrefix("var "),
          let slot = Slot(head, part, tail)
        {
          slots.append(slot)
        }
        head += part + ", "
      }
    }
    if code.hasPrefix("return "), let slot = Slot("return ", code.dropFirst(7), "") { slots.append(slot) }
    if let match = code.firstMatch(of: /^(?:let |var )?[\w.\[\]:? ]+ [-+&|]?= (.+)$/),
      let slot = Slot(code[..<match.1.startIndex], match.1, "")
    {
      slots.append(slot)
    }
    if let match = code.firstMatch(of: /^[^{}]*(?:var|func) [^{}]* \{ ([^{}]+) \}$/),
      let slot = Slot(code[..<match.1.startIndex], match.1, " }")
    {
      slots.append(slot)
    }
    return slots.filter { line.hasPrefix($0.head) }
  }

  /// Where `new` differs from `old` in one expression: the expressions.
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

/// A file in lines.
struct Source {
  var lines: [String]

  init(_ text: String) { lines = text.components(separatedBy: "\n") }

  func matches(_ fault: Fault, at index: Int) -> Bool {
    guard index + fault.old.count <= lines.count else { return false }
    return zip(lines[index...], fault.old).allSatisfy { $0.trimmed == $1 }
  }

  func place(of fault: Fault) -> Int? {
    lines.indices.filter { matches(fault, at: $0) }.dropFirst(fault.occurrence).first
  }

  /// Whether the statement that a line is ends there.
  func isWhole(_ index: Int) -> Bool {
    let line = lines[index].trimmed
    guard line.isBalanced, let last = line.last, !"{([,=".contains(last), !line.hasSuffix("||"),
      !line.hasSuffix("&&"), !line.hasSuffix("->")
    else { return false }
    guard index + 1 < lines.count else { return true }
    let next = lines[index + 1].trimmed
    return ![".", "?", ":", "&&", "||", "+", "{", "(", "else"].contains { next.hasPrefix($0) }
  }
}

extension Source {
  /// Whether the nearest declaration of a function before a line is that of an initialiser, which has to set everything.
  func isInInitializer(_ index: Int) -> Bool {
    let declaration = lines[..<index].last { $0.contains(/(func|var|init|deinit|subscript)\b.*\{$/) }
    return declaration?.contains(/\binit[(<]/) == true
  }
}

// MARK: Planting

/// - Parameters:
///   - faults: By number.
///   - folder: The copy of the package.
func plant(_ faults: [(number: Int, fault: Fault)], in folder: String) throws {
  for (file, faults) in Dictionary(grouping: faults, by: \.fault.file) {
    let path = folder + "/" + file
    var source = Source(try String(contentsOfFile: path, encoding: .utf8))
    let places = try faults.map { number, fault in
      guard let place = source.place(of: fault) else {
        throw Failure(description: "fault \(number): \(file) does not have these lines:\n\(fault.text)")
      }
      return (number, fault, place)
    }
    // Those at the same lines become one statement; from the end of the file, so that places stay what they
    // are.
    for (place, here) in Dictionary(grouping: places, by: \.2).sorted(by: { $0.key > $1.key }) {
      let count = here[0].1.old.count
      guard here.allSatisfy({ $0.1.old.count == count }) else {
        throw Failure(description: "\(file):\(place + 1): faults of different lengths begin here")
      }
      let old = here[0].1.old
      guard
        !old[0].hasSuffix("{") || here.allSatisfy({ Slot.difference(old[0], $0.1.new.first ?? "") != nil })
      else {
        throw Failure(description: "\(file):\(place + 1): only a condition of this line can change")
      }
      source.lines.replaceSubrange(
        place..<(place + count), with: [switched(old, here.map { ($0.0, $0.1.new) })])
    }
    // Where a module imports nothing, the package's C module comes before its first declaration.
    let first = source.lines.prefix(3).firstIndex { $0.trimmed.hasPrefix("#if os") } ?? -1
    source.lines.insert("public import CInterlock", at: first + 1)
    source.lines.removeAll { $0.trimmed == "internal import CInterlock" }
    try source.lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }
}

/// The old lines, and the new ones where their number is chosen.
func switched(_ old: [String], _ faults: [(number: Int, new: [String])]) -> String {
  if old.count == 1 {
    let differences = faults.map { $0.new.count == 1 ? Slot.difference(old[0], $0.new[0]) : nil }
    if differences.allSatisfy({ $0 != nil }) {
      return switched(old[0], zip(faults, differences).map { ($0.number, $1!.slot, $1!.expression) })
    }
  }
  let choices = faults.map {
    "if interlock_is_planted(\($0.number)) { \($0.new.joined(separator: "; ")) } else "
  }
  // A line of its own for each, in case of a comment at an end.
  return choices.joined() + "{\n" + old.joined(separator: "\n") + "\n}"
}

/// The line, with a choice in the place of each expression that a fault changes.
func switched(_ line: String, _ changes: [(number: Int, slot: Slot, new: String)]) -> String {
  var line = line
  // From the end, so that places stay what they are.
  for (start, here) in Dictionary(grouping: changes, by: \.slot.head.count).sorted(by: { $0.key > $1.key }) {
    let old = here[0].slot.expression
    let choices = here.map { "interlock_is_planted(\($0.number)) ? (\($0.new)) : " }
    let range = line.index(line.startIndex, offsetBy: start)...
    line.replaceSubrange(
      range, with: "(" + choices.joined() + "(" + old + "))" + line[range].dropFirst(old.count))
  }
  return line
}

// MARK: Drawing

struct Random: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// What can become of a part of an expression.
let exchanges: [(String, String)] = [
  (" == ", " != "), (" != ", " == "), (" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "),
  (" && ", " || "), (" || ", " && "), (" + ", " - "), (" - ", " + "), (" | ", " & "), (" & ", " | "),
  (" += ", " -= "), (".max)", "1)"), ("true", "false"), ("false", "true"), ("count: 1", "count: 0"),
  (" 1", " 2"),
  ("min(", "max("), ("max(", "min("),
  ("loadSequentiallyConsistent()", "loadAcquiring()"), ("loadAcquiring()", "loadRelaxed()"),
  ("compareExchangeAcquiring(", "compareExchangeRelaxed("),
  ("compareExchangeReleasing(", "compareExchangeRelaxed("),
  ("compareExchangeSequentiallyConsistent(", "compareExchangeRelaxed("),
  ("ordering: .acquiring", "ordering: .relaxed"), ("ordering: .releasing", "ordering: .relaxed"),
  ("ordering: .sequentiallyConsistent", "ordering: .relaxed"),
]

/// All small faults that a file can have.
func candidates(_ file: String) throws -> [Fault] {
  let source = Source(try String(contentsOfFile: file, encoding: .utf8))
  let module = file.split(separator: "/")[1]
  var faults: [Fault] = []
  func add(_ index: Int, _ old: [String], _ new: [String]) {
    var fault = Fault(file: file, old: old, new: new, tests: tests(of: String(module)))
    fault.occurrence = (0..<index).count { source.matches(fault, at: $0) }
    faults.append(fault)
  }
  for index in source.lines.indices where source.isWhole(index) || source.lines[index].hasSuffix("{") {
    let line = source.lines[index].trimmed
    if line.hasPrefix("//") || line.contains("precondition") || line.contains("package let") { continue }
    if line.contains("public ") && !line.contains("{") { continue }
    for slot in Slot.all(in: line) {
      for (old, new) in exchanges {
        var search = slot.expression.startIndex
        while let range = slot.expression.range(of: old, range: search..<slot.expression.endIndex) {
          add(
            index, [line],
            [slot.head + slot.expression.replacingCharacters(in: range, with: new) + slot.tail])
          search = range.upperBound
        }
      }
      if line.hasPrefix("if ") || line.hasPrefix("guard "), !slot.expression.contains(" ") {
        let negated =
          slot.expression.hasPrefix("!") ? String(slot.expression.dropFirst()) : "!" + slot.expression
        add(index, [line], [slot.head + negated + slot.tail])
      }
    }
    if isStatement(source, index), !source.isInInitializer(index) {
      add(index, [line], [])
      if index + 1 < source.lines.count, isStatement(source, index + 1) {
        let next = source.lines[index + 1].trimmed
        add(index, [line, next], [next, line])
      }
    }
  }
  var texts: Set<String> = []
  return faults.filter { texts.insert($0.text).inserted }
}

/// Whether a line is a call, an assignment or a one-line condition, which the program compiles without.
func isStatement(_ source: Source, _ index: Int) -> Bool {
  let line = source.lines[index].trimmed
  guard source.isWhole(index) else { return false }
  if line.hasPrefix("if "), line.hasSuffix("}") { return !line.contains("throw") }
  return line.firstMatch(of: /^(?:_ = )?[\w.]+(?:\[[^\]]*\])?(?:\(.*\)| [-+]?= .*)$/) != nil
    && !line.hasPrefix("misuse") && !line.hasPrefix("self.init") && line.contains(/[a-z]/)
    && !line.hasPrefix("init") && !line.contains("defer")
}

/// The tests that concern a module.
func tests(of module: String) -> String {
  switch module {
  case "PlatformLocks": "PlatformLocksTests|UnfairLocksTests|ReadWriteLocksTests|LazyInitializationTests"
  case "ThreadRecords": "ReadWriteLocksTests|LifecyclesTests|FaultTests"
  case "ReadWriteLocks": "ReadWriteLocksTests|ReadWriteLocksStressTests"
  case "UnfairLocks": "UnfairLocksTests|ReadWriteLocksTests|AtomicPropertiesTests"
  default: "\(module)Tests|\(module)StressTests"
  }
}

func draw(_ count: Int, seed: UInt64, from files: [String]) throws -> [Fault] {
  var random = Random(state: seed)
  let sources = try files.map { Source(try String(contentsOfFile: $0, encoding: .utf8)) }
  // Each file has the same chance, so that a long one does not get most of them.
  var left = try files.map { try candidates($0).shuffled(using: &random) }
  var drawn: [Fault] = []
  // Faults at the same lines can be planted together; those that overlap can't.
  var taken = files.map { _ in Set<Range<Int>>() }
  while drawn.count < count, left.contains(where: { !$0.isEmpty }) {
    let file = Int(random.next() % UInt64(left.count))
    guard let fault = left[file].popLast(), let place = sources[file].place(of: fault) else { continue }
    let range = place..<(place + fault.old.count)
    if taken[file].contains(where: { $0 != range && $0.overlaps(range) }) { continue }
    taken[file].insert(range)
    drawn.append(fault)
  }
  return drawn
}

// MARK: Commands

let arguments = CommandLine.arguments
do {
  switch arguments.dropFirst().first {
  case "plant":
    // plant LIST FOLDER [NUMBER…]: all but the numbers.
    let without = Set(arguments[4...].compactMap(Int.init))
    let faults = try Fault.parse(String(contentsOfFile: arguments[2], encoding: .utf8))
    try plant(
      faults.enumerated().map { ($0.offset + 1, $0.element) }.filter { !without.contains($0.0) },
      in: arguments[3])
    for number in 1...max(faults.count, 1) where !without.contains(number) { print(number) }
  case "show":
    print(try Fault.parse(String(contentsOfFile: arguments[2], encoding: .utf8))[Int(arguments[3])! - 1].text)
  case "draw":
    // draw COUNT SEED FILE…
    for fault in try draw(Int(arguments[2])!, seed: UInt64(arguments[3])!, from: Array(arguments[4...])) {
      print(fault.text + "\n")
    }
  default: throw Failure(description: "plant, show or draw?")
  }
} catch {
  FileHandle.standardError.write(Data("faults: \(error)\n".utf8))
  exit(1)
}
