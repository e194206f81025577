// swift-tools-version: 6.3
import PackageDescription

// A program that uses the toolkit's modules from a dynamic library. A package links its own targets
// statically, so the library is a package of its own.
let package = Package(
  name: "DynamicClient",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "Library")],
  targets: [
    .executableTarget(
      name: "DynamicClient",
      dependencies: [.product(name: "InterlockDynamic", package: "Library")])
  ],
  swiftLanguageModes: [.v6])
