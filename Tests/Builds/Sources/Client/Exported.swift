import Interlock

/// A public property whose type a client names without `import Synchronization`.
public let visits = LockFreeProperty(0)
