// `Tests/Builds/check client` appends this code to the manifest in two copies of the package. The copy in the
// folder `toolkit` keeps only the toolkit. The copy in the folder `client` keeps the view models, the
// demonstration and the example `Tracks`, which depend on the toolkit's products as any other client does.
let clients: Set = [
  "CRowsCore", "CTerminal", "ForeignRows", "Tracks", "ViewModels", "coretable", "livetable",
]
if Context.packageDirectory.hasSuffix("/toolkit") {
  package.targets = libraryTargets
} else {
  package.name = "client"
  package.products = []
  package.dependencies = [.package(path: "../toolkit")]
  package.targets =
    demonstrationTargets + [
      .executableTarget(
        name: "Tracks", dependencies: ["Jobs", "Observers", "Protectors", "ViewModels"],
        path: "Tests/Builds/Sources/Tracks")
    ]
  for target in package.targets {
    target.dependencies = target.dependencies.map {
      if case .byNameItem(let name, _) = $0, !clients.contains(name) {
        return .product(name: name, package: "toolkit")
      }
      return $0
    }
  }
}
