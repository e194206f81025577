// swift-tools-version: 6.3
import PackageDescription

// An example program with deliberate locking mistakes. The articles of `DeadlockDetection` and
// `ContentionProfiles` find and repair them.
let package = Package(
  name: "Bank",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-interlock", path: "../../..", traits: ["DeadlockDetection"])],
  targets: [
    .executableTarget(
      name: "bank",
      dependencies: [
        .product(name: "ContentionProfiles", package: "swift-interlock"),
        .product(name: "DeadlockDetection", package: "swift-interlock"),
        .product(name: "Protectors", package: "swift-interlock"),
      ])
  ],
  swiftLanguageModes: [.v6])
