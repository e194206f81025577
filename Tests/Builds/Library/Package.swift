// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "InterlockDynamic",
  platforms: [.macOS(.v13)],
  products: [.library(name: "InterlockDynamic", type: .dynamic, targets: ["InterlockDynamic"])],
  dependencies: [.package(name: "swift-interlock", path: "../../..")],
  targets: [
    .target(
      name: "InterlockDynamic",
      dependencies: [.product(name: "Interlock", package: "swift-interlock")])
  ],
  swiftLanguageModes: [.v6])
