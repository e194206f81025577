
// Added to a trimmed manifest: Darwin's files take the place of those for Linux, and make the calls of Tests/CDarwinShim.
let shim = Target.target(
  name: "CDarwinShim", dependencies: ["CInterlock"], path: "Tests/CDarwinShim",
  cSettings: warningsInC + [.headerSearchPath("Headers")])
for target in package.targets {
  target.swiftSettings?.append(.define("DarwinShim"))
  switch target.name {
  case "CInterlock":
    target.exclude += ["Linux.c", "LinuxDescriptors.c", "LinuxReadWriteLock.c", "LinuxSignals.c"]
  case "InterlockCore":
    target.dependencies.append("CDarwinShim")
    target.exclude += ["Platform+Linux.swift", "Locks/UnfairLockCore+Linux.swift"]
  // The table is that of the shim.
  case "CParkingTable": target.cSettings?.append(.define("__APPLE__"))
  default: break
  }
}
package.targets.append(shim)
