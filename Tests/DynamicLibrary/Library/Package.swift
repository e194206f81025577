// swift-tools-version: 6.3
import PackageDescription

let modules = [
  "UnfairLocks", "ReadWriteLocks", "Protectors", "LazyInitialization", "AtomicProperties", "Lifecycles",
]

let package = Package(
  name: "InterlockDynamic",
  platforms: [.macOS(.v15)],
  products: [.library(name: "InterlockDynamic", type: .dynamic, targets: ["InterlockDynamic"])],
  dependencies: [.package(name: "swift-interlock", path: "../../..")],
  targets: [
    .target(
      name: "InterlockDynamic",
      dependencies: modules.map { .product(name: $0, package: "swift-interlock") })
  ],
  swiftLanguageModes: [.v6])
