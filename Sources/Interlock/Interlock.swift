// Re-exports the modules of the toolkit. `import Interlock` then counts as an import of each of them,
// even with the feature `MemberImportVisibility`. With this feature, type aliases would export the types
// without their members.

@_exported public import AsyncLocks
@_exported public import AtomicProperties
@_exported public import EventSources
@_exported public import Jobs
@_exported public import LazyInitialization
@_exported public import Lifecycles
@_exported public import Observers
@_exported public import Protectors
@_exported public import ReadWriteLocks
@_exported public import Snapshots
@_exported public import UnfairLocks
