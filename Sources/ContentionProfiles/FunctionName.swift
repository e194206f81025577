/// Shortens a demangled Swift symbol to the type, the function and its argument labels.
///
/// For example, `closure #1 @Sendable () -> () in Shop.Store.restock(item: Swift.String) -> ()` becomes
/// `closure #1 in Store.restock(item:)`. A name without a module, types or labels is not changed.
struct FunctionName {
  private var rest: Substring

  static func short(_ text: String) -> String {
    var name = FunctionName(rest: text[...])
    return name.function()
  }

  private mutating func function() -> String {
    let merged = skipVariants() ? "merged " : ""
    if let closure = closure() { return merged + closure }
    if skip("protocol witness for ") { return merged + witness() }
    _ = skip("static ")
    return merged + declaration()
  }

  /// Parses the name of a protocol's requirement and the conforming type, such as
  /// `Shop.Counter.count() -> () in conformance Shop.Store : Shop.Counter in Shop`.
  ///
  /// Returns the type's own function: `Store.count()`.
  private mutating func witness() -> String {
    _ = skip("static ")
    let requirement = declaration()
    while !rest.isEmpty, !skip(" in conformance ") { skipOne() }
    if rest.first == "<" {
      skipGroup()
      _ = skip(" ")
    }
    // Splits `Counter.count()` into the protocol's name and the name of the requirement.
    let parts = requirement.split(separator: ".", maxSplits: 1)
    return rest.isEmpty || parts.count < 2 ? requirement : "\(declaration()).\(parts[1])"
  }

  private mutating func skip(_ prefix: String) -> Bool {
    guard rest.hasPrefix(prefix) else { return false }
    rest.removeFirst(prefix.count)
    return true
  }

  /// Skips prefixes such as `specialized `, with which the compiler marks its variants of a function.
  ///
  /// Returns whether one of the prefixes was `merged `. Such a symbol stands for several functions with the
  /// same machine code, and has the name of one of them.
  private mutating func skipVariants() -> Bool {
    let words = ["partial apply forwarder for ", "specialized ", "@objc "]
    let kinds = [
      "generic specialization <", "function signature specialization <",
      "generic not re-abstracted specialization <", "generic partial specialization <",
    ]
    var isMerged = false
    while true {
      skipResumption()
      if skip("merged ") {
        isMerged = true
      } else if kinds.contains(where: { rest.hasPrefix($0) }) {
        guard skipSpecializations() else { return isMerged }
      } else if !words.contains(where: { skip($0) }) {
        return isMerged
      }
    }
  }

  /// Skips prefixes such as `(1) await resume partial function for `, which mark the part of an asynchronous
  /// function after a suspension point.
  private mutating func skipResumption() {
    for kind in [") await resume partial function for ", ") suspend resume partial function for "] {
      let number = rest.dropFirst().prefix { $0.isNumber }
      if rest.first == "(", !number.isEmpty, rest[number.endIndex...].hasPrefix(kind) {
        rest = rest[number.endIndex...].dropFirst(kind.count)
      }
    }
  }

  /// Skips everything up to the end of the last `> of `, which ends a specialization; returns `false` if
  /// there is none.
  ///
  /// A specialization's arguments can't be skipped as a bracketed group: for a closure argument, the
  /// demangler leaves out a bracket.
  private mutating func skipSpecializations() -> Bool {
    var skipped = rest
    while !skipped.hasSuffix("> of ") {
      if skipped.popLast() == nil { return false }
    }
    rest = rest[skipped.endIndex...]
    return true
  }

  /// Parses a closure's name, such as `closure #1 in f()`, and returns it with the shortened name of the
  /// enclosing function.
  ///
  /// Returns `nil` if the rest of the text does not begin with a closure's name.
  private mutating func closure() -> String? {
    for kind in ["closure #", "implicit closure #", "explicit closure #"] where skip(kind) {
      let number = rest.prefix { $0.isNumber }
      while !rest.isEmpty {
        if skip(" in ") { return "\(kind)\(number) in \(function())" }
        skipOne()
      }
      return "\(kind)\(number)"
    }
    return nil
  }

  /// Parses a declaration's name, and returns it without the module, generic arguments, parameter types and
  /// result type.
  ///
  /// Argument labels are kept.
  private mutating func declaration() -> String {
    var names: [String] = []
    var name = ""
    var parameters = ""
    while let next = rest.first {
      if next == "(" {
        if name.isEmpty {
          // The group is `(extension in Module)`, or `(name in _0123ABCD)` for a private declaration.
          let words = group().split(separator: " ")
          if words.first != "extension" { name = String(words.first ?? "") }
          _ = skip(":")
          continue
        }
        parameters = "(" + labels(group()) + ")"
        break
      } else if next == "<", !name.isEmpty {
        skipGroup()
      } else if next == "." && !name.isEmpty {
        names.append(name)
        name = ""
        rest.removeFirst()
      } else if [" : ", " -> ", " with unmangled suffix "].contains(where: rest.hasPrefix) {
        break
      } else {
        name.append(next)
        rest.removeFirst()
      }
    }
    names.append(name)
    return names.dropFirst(names.count > 1 ? 1 : 0).joined(separator: ".") + parameters
  }

  /// The argument labels of a parameter list, each with a colon; empty for an empty list.
  ///
  /// A parameter without a label gives `_:`.
  private func labels(_ list: Substring) -> String {
    if list.isEmpty { return "" }
    var scan = FunctionName(rest: list)
    var labels = ""
    var parameter = ""
    func label() -> String {
      let parts = parameter.split(separator: ":", omittingEmptySubsequences: false)
      return parts.count > 1 ? "\(parts[0]):" : "_:"
    }
    while !scan.rest.isEmpty {
      if scan.skip(", ") {
        labels += label()
        parameter = ""
      } else {
        let before = scan.rest
        scan.skipOne()
        parameter += before.prefix(before.count - scan.rest.count)
      }
    }
    return labels + label()
  }

  // MARK: Groups

  /// Skips one character, an arrow, or a group in brackets.
  private mutating func skipOne() {
    if skip("->") { return }
    if let next = rest.first, "(<[".contains(next) { skipGroup() } else { rest.removeFirst() }
  }

  private mutating func skipGroup() { _ = group() }

  /// Skips the bracketed group with which `rest` begins, and returns the text between its brackets.
  private mutating func group() -> Substring {
    let start = rest.dropFirst()
    var depth = 0
    repeat {
      if skip("->") { continue }
      guard let next = rest.popFirst() else { return start }
      if "(<[".contains(next) { depth += 1 }
      if ")>]".contains(next) { depth -= 1 }
    } while depth > 0
    return start.prefix(max(0, start.count - rest.count - 1))
  }
}
