
// Added to the manifest for a build of some targets alone: TARGETS, and what they need.
var needed = "TARGETS".split(separator: " ").map(String.init)
// Tests run this program, but don't depend on it.
if needed.contains("ContentionProfilesTests") { needed.append("ContendedProgram") }
// The list grows while it is read.
var index = 0
while index < needed.count {
  for dependency in package.targets.first(where: { $0.name == needed[index] })!.dependencies {
    if case .byNameItem(let name, _) = dependency, !needed.contains(name) { needed.append(name) }
  }
  index += 1
}
package.targets.removeAll { !needed.contains($0.name) }
package.products = []
