// swift-tools-version: 6.3
import PackageDescription

// Client programs of this package. The script `check` builds them with several compiler settings that clients
// may use.
let package = Package(
  name: "Builds",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "swift-interlock", path: "../.."), .package(path: "Library")],
  targets: [
    .executableTarget(
      name: "Client", dependencies: [.product(name: "Interlock", package: "swift-interlock")]),
    // The program `Client` again, with this package's modules in a dynamic library.
    .executableTarget(
      name: "DynamicClient", dependencies: [.product(name: "InterlockDynamic", package: "Library")]),
    // The program `Client` again, in a module that can import C++.
    .executableTarget(
      name: "CxxClient", dependencies: [.product(name: "Interlock", package: "swift-interlock")],
      swiftSettings: [.interoperabilityMode(.Cxx)]),
    // A list of rows of one's own.
    .executableTarget(
      name: "Tracks",
      dependencies: ["Jobs", "Observers", "Protectors", "RowTrees"].map {
        .product(name: $0, package: "swift-interlock")
      }),
  ],
  swiftLanguageModes: [.v6])
