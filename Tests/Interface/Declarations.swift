import Foundation

// Lists the public declarations of one module: `Declarations FOLDER`, where FOLDER contains the module's
// symbol graphs. Each line is a declaration or a conformance. The lines are sorted, so that two lists can be
// compared line by line.

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
    var kind, source, target: String
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

let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
let graphs = try files.filter { $0.path.hasSuffix(".symbols.json") }.map {
  try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: $0))
}

/// The names of all declarations, by the compiler's identifiers.
var names: [String: String] = [:]
var lines: Set<String> = []
for symbol in graphs.flatMap(\.symbols) {
  let name = symbol.pathComponents.joined(separator: ".")
  names[symbol.identifier.precise] = name
  // An extension has no line of its own. Its members and conformances are listed instead.
  guard symbol.kind.identifier != "swift.extension" else { continue }
  let declaration = (symbol.declarationFragments ?? []).map(\.spelling).joined()
    .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  // The declaration of a member lacks the requirements of the extension around it, so they are appended.
  let outer = requirements(symbol.swiftExtension?.constraints)
  lines.insert("\(name) | \(declaration)\(outer.isEmpty ? "" : " | in an extension\(outer)")")
}
for relationship in graphs.flatMap(\.relationships) where relationship.kind == "conformsTo" {
  guard let source = names[relationship.source],
    let target = relationship.targetFallback ?? names[relationship.target]
  else { continue }
  lines.insert("\(source) : \(target)\(requirements(relationship.swiftConstraints))")
}
for line in lines.sorted() {
  print(line)
}
