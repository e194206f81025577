// swift-tools-version: 6.3
import PackageDescription

// A client program of this package. The script `check` builds it with several compiler settings that clients may
// use, and in the ways that the variable CLIENT names: with this package's modules in a dynamic library
// (`dynamic`), in a module that can import C++ (`cxx`), as one of several copies in a process (`separate`), with the
// traits of both tools (`tools`), and with the package in a repository (`address`).
let way = Context.environment["CLIENT"]
let traits: [String: Set<Package.Dependency.Trait>] = [
  "separate": ["SeparateImages"], "tools": ["DeadlockDetection", "Exploration"],
]
let interlock: Package.Dependency =
  if way == "address" {
    .package(url: "file://" + Context.environment["address"]!, revision: Context.environment["commit"]!)
  } else {
    .package(name: "swift-interlock", path: "../..", traits: traits[way ?? ""] ?? [])
  }
let package = Package(
  name: "Builds",
  platforms: [.macOS(.v13)],
  products: [.library(name: "Plugin", type: .dynamic, targets: ["Plugin"])],
  // `Library` depends on the package by its path.
  dependencies: [interlock] + (way == "address" ? [] : [.package(path: "Library")]),
  targets: [
    .executableTarget(
      name: "Client",
      dependencies: [
        way == "dynamic"
          ? .product(name: "InterlockDynamic", package: "Library")
          : .product(name: "Interlock", package: "swift-interlock")
      ],
      swiftSettings: way == "cxx" ? [.interoperabilityMode(.Cxx), .define("CXX")] : []),
    // A library that a program loads and unloads, and that program.
    .target(
      name: "Plugin",
      dependencies: ["ContentionProfiles", "Snapshots"].map { .product(name: $0, package: "swift-interlock") }
    ),
    .executableTarget(name: "Host", linkerSettings: [.linkedLibrary("dl"), .linkedLibrary("pthread")]),
    .executableTarget(
      name: "Tools",
      dependencies: ["DeadlockDetection", "Exploration", "UnfairLocks"].map {
        .product(name: $0, package: "swift-interlock")
      }),
    .executableTarget(
      name: "Unaware", dependencies: [.product(name: "UnfairLocks", package: "swift-interlock")]),
  ],
  swiftLanguageModes: [.v6])
