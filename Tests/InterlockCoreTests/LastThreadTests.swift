#if DarwinShim
  import CForking
  import CInterlock
  import Testing

  /// Tests Darwin's `interlock_is_last_thread`, on the shim.
  @Suite struct LastThreadTests {
    /// The shim ends the process if an earlier call has kept rights or memory of the system.
    @Test func aThreadAmongOthersIsNotTheLast() {
      for _ in 0..<2 { #expect(!interlock_is_last_thread()) }
    }

    @Test func aForkedChildHasOnlyItsLastThread() {
      let finding = in_forked_child { interlock_is_last_thread() ? 0 : 1 }
      #expect(finding == 0)
    }
  }
#endif
