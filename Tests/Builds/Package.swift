// swift-tools-version: 6.2
import PackageDescription

// Programs that depend on this package as others do. `check` builds them in the ways that others build.
let package = Package(
  name: "Builds",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-interlock", path: "../.."), .package(path: "Library")],
  targets: [
    .executableTarget(
      name: "Client", dependencies: [.product(name: "Interlock", package: "swift-interlock")]),
    // The same program, with the modules in a dynamic library.
    .executableTarget(
      name: "DynamicClient", dependencies: [.product(name: "InterlockDynamic", package: "Library")]),
    // The same program, in a module that can import C++.
    .executableTarget(
      name: "CxxClient", dependencies: [.product(name: "Interlock", package: "swift-interlock")],
      swiftSettings: [.interoperabilityMode(.Cxx)]),
  ],
  swiftLanguageModes: [.v6])
