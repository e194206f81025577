import Foundation

// Lists the public declarations of one module, with what it re-exports: `Declarations FOLDER TOOLCHAIN OTHER…`, where
// FOLDER contains the module's symbol graphs, TOOLCHAIN names modules of the toolchain, between commas, and each OTHER
// contains the graphs of a module that has a list of its own. Each line is a declaration or a conformance. The lines are
// sorted, so that two lists can be compared line by line.
//
// A declaration is in one list. Where another module re-exports it, a line says so, and stands for its members:
// `NAME | re-exported, listed in OTHER` or `NAME | re-exported from TOOLCHAIN`. If the module re-exports all of another
// one, the line is `OTHER | re-exported`.

/// The members of a symbol graph from which the list of declarations is made.
struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { var precise: String }
    struct Kind: Decodable { var identifier: String }
    struct Fragment: Decodable { var spelling: String }
    struct Constraint: Decodable { var kind, lhs, rhs: String }
    struct Extension: Decodable { var constraints: [Constraint]? }

    var identifier: Identifier
    var kind: Kind
    var pathComponents: [String]
    var declarationFragments: [Fragment]?
    var swiftExtension: Extension?
  }

  struct Relationship: Decodable {
    struct Key: Hashable { var source, target: String }

    var kind, source, target: String
    var key: Key { Key(source: source, target: target) }
    var targetFallback: String?
    var swiftConstraints: [Symbol.Constraint]?
  }

  var symbols: [Symbol]
  var relationships: [Relationship]
}

/// Formats generic requirements as " where A: B, C == D"; empty if there are none.
func requirements(_ constraints: [SymbolGraph.Symbol.Constraint]?) -> String {
  let texts = (constraints ?? []).map { constraint in
    "\(constraint.lhs)\(constraint.kind == "sameType" ? " ==" : ":") \(constraint.rhs)"
  }
  return texts.isEmpty ? "" : " where \(texts.sorted().joined(separator: ", "))"
}

/// The graphs of a module.
struct Module {
  let name: String
  let symbols: [SymbolGraph.Symbol]
  let relationships: [SymbolGraph.Relationship]

  init(in folder: String) throws {
    let url = URL(fileURLWithPath: folder)
    name = url.deletingPathExtension().lastPathComponent
    let graphs = try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
      .filter { $0.path.hasSuffix(".symbols.json") }
      .map { try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: $0)) }
    symbols = graphs.flatMap(\.symbols)
    relationships = graphs.flatMap(\.relationships).filter { $0.kind == "conformsTo" }
  }

  /// The compiler's identifiers of the declarations.
  var identifiers: Set<String> { Set(symbols.map(\.identifier.precise)) }
}

let module = try Module(in: CommandLine.arguments[1])
let toolchain = CommandLine.arguments[2].split(separator: ",")
let others = try CommandLine.arguments.dropFirst(3).map(Module.init).filter { !$0.symbols.isEmpty }
/// The modules that the module re-exports as a whole.
let exported = others.filter { $0.identifiers.isSubset(of: module.identifiers) }

/// The declarations and conformances that another list has.
var listed = others.reduce(into: Set<String>()) { $0.formUnion($1.identifiers) }
let listedConformances = Set(others.flatMap(\.relationships).map(\.key))

/// The names of all declarations, by the compiler's identifiers.
var names: [String: String] = [:]
var lines = Set(exported.map { "\($0.name) | re-exported" })
let ofWholeModules = exported.reduce(into: Set<String>()) { $0.formUnion($1.identifiers) }
for symbol in module.symbols {
  let identifier = symbol.identifier.precise
  let name = symbol.pathComponents.joined(separator: ".")
  names[identifier] = name
  // Identifiers begin with the name of the module and its length.
  if let origin = toolchain.first(where: { identifier.hasPrefix("s:\($0.count)\($0)") }) {
    listed.insert(identifier)
    if symbol.pathComponents.count == 1, !ofWholeModules.contains(identifier) {
      lines.insert("\(name) | re-exported from \(origin)")
    }
  } else if symbol.pathComponents.count == 1, !ofWholeModules.contains(identifier),
    let other = others.first(where: { $0.identifiers.contains(identifier) })
  {
    lines.insert("\(name) | re-exported, listed in \(other.name)")
  }
}
for symbol in module.symbols {
  // An extension has no line of its own. Its members and conformances are listed instead.
  guard symbol.kind.identifier != "swift.extension", !listed.contains(symbol.identifier.precise),
    let name = names[symbol.identifier.precise]
  else { continue }
  let declaration = (symbol.declarationFragments ?? []).map(\.spelling).joined()
    .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  // The declaration of a member lacks the requirements of the extension around it, so they are appended.
  let outer = requirements(symbol.swiftExtension?.constraints)
  lines.insert("\(name) | \(declaration)\(outer.isEmpty ? "" : " | in an extension\(outer)")")
}
for relationship in module.relationships where !listedConformances.contains(relationship.key) {
  guard let source = names[relationship.source],
    let target = relationship.targetFallback ?? names[relationship.target]
  else { continue }
  lines.insert("\(source) : \(target)\(requirements(relationship.swiftConstraints))")
}
for line in lines.sorted() {
  print(line)
}
