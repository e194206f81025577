// The six modules of the toolkit as one. `import Interlock` then counts as an import of each of them, also with the feature
// `MemberImportVisibility`, under which type aliases would bring the types without their members.

@_exported public import AtomicProperties
@_exported public import LazyInitialization
@_exported public import Lifecycles
@_exported public import Protectors
@_exported public import ReadWriteLocks
@_exported public import UnfairLocks
