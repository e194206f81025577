import CInterlock
import Foundation
import Testing

/// Tests how the libraries read environment variables in a process without raised privileges.
///
/// `ContendedProgramTests.raisedPrivileges` tests a setuid program.
@Suite struct EnvironmentTests {
  @Test("without raised privileges, the libraries read the environment as it is")
  func variables() {
    let path = (interlock_environment("PATH") as UnsafePointer<CChar>?).map { String(cString: $0) }
    #expect(path == ProcessInfo.processInfo.environment["PATH"])
    #expect(path != nil)
    #expect(interlock_environment("INTERLOCK_NO_SUCH_VARIABLE") == nil)
  }
}
