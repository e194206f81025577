// Re-exports the modules of the locks, so that clients that name a lock in their own interface need no second
// import and no second product. An example is an inlinable function with a `Protector` parameter.

@_exported public import ReadWriteLocks
@_exported public import UnfairLocks
