import CInterlock
import Foundation
import Testing

/// The other case is tested with a setuid program: `ContendedProgramTests.raisedPrivileges`.
@Suite struct EnvironmentTests {
  @Test("without raised privileges, the libraries read the environment as it is")
  func variables() {
    let path = (interlock_environment("PATH") as UnsafePointer<CChar>?).map { String(cString: $0) }
    #expect(path == ProcessInfo.processInfo.environment["PATH"])
    #expect(path != nil)
    #expect(interlock_environment("INTERLOCK_NO_SUCH_VARIABLE") == nil)
  }
}
