/// The modules of this package whose functions reports and profiles leave out.
///
/// `.ci/lint` compares the list with the manifest.
@usableFromInline
package enum Toolkit {
  @_alwaysEmitIntoClient
  package static var modules: [String] {
    [
      "AsyncLocks", "AtomicProperties", "ContentionProfiles", "DeadlockDetection", "EventSources",
      "InterlockCore", "InterlockServices", "InterlockTasks", "InterlockWaits", "Jobs", "LazyInitialization",
      "Lifecycles", "Observers", "Protectors", "ReadWriteLocks", "Snapshots", "UnfairLocks",
    ]
  }
}
