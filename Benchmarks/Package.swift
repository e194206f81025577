// swift-tools-version: 6.3
import PackageDescription

// The benchmarks are a package of their own, so that clients of the library don't resolve their targets.

// As in the package's own manifest.
let isChecked = Context.environment["INTERLOCK_WARNINGS"] == "errors"
let warningsInSwift: [SwiftSetting] = isChecked ? [.treatAllWarnings(as: .error)] : []
let warningsInC: [CSetting] = isChecked ? [.treatAllWarnings(as: .error)] : []

let settings: [SwiftSetting] =
  warningsInSwift + [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]

func library(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "swift-interlock") }
}

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-interlock", path: "..")],
  targets: [
    .target(name: "CAllocationCounter", cSettings: warningsInC),
    // Properties whose accessors the optimizer must not see through.
    .target(name: "OtherModule", swiftSettings: settings),
    .target(name: "BenchmarkHarness", dependencies: library("Jobs"), swiftSettings: settings),
    .executableTarget(
      name: "benchmarks",
      dependencies: ["BenchmarkHarness", "CAllocationCounter", "OtherModule"]
        + library(
          "AsyncLocks", "AtomicProperties", "Jobs", "LazyInitialization", "Lifecycles", "Protectors",
          "ReadWriteLocks", "Snapshots", "UnfairLocks"),
      swiftSettings: settings),
    .testTarget(
      name: "BenchmarkTests", dependencies: ["BenchmarkHarness", "benchmarks"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6])
