// `Tests/Builds/check client` appends this code to the manifest in two copies of the package. The copy in the
// folder `toolkit` keeps only the toolkit. The copy in the folder `client` keeps the view models and the
// demonstration, which depend on the toolkit's products as any other client does.
let clients: Set = ["CRowsCore", "CTerminal", "ForeignRows", "ViewModels", "coretable", "livetable"]
package.products.removeAll { clients.contains($0.name) }
if Context.packageDirectory.hasSuffix("/toolkit") {
  package.targets = libraryTargets.filter { !clients.contains($0.name) }
} else {
  package.name = "client"
  package.products = []
  package.dependencies = [.package(path: "../toolkit")]
  package.targets = (libraryTargets + demonstrationTargets).filter { clients.contains($0.name) }
  for target in package.targets {
    target.dependencies = target.dependencies.map {
      if case .byNameItem(let name, _) = $0, !clients.contains(name) {
        return .product(name: name, package: "toolkit")
      }
      return $0
    }
  }
}
