// swift-tools-version: 6.3
import PackageDescription

// A program to break and to repair. The articles of `DeadlockDetection` and `ContentionProfiles` use it.
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
