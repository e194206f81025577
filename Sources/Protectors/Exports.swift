// Re-exports the modules of the locks. A client whose own interface names a lock, for example in an inlinable
// function with a `Protector` parameter, needs no second import and no second product.

@_exported public import ReadWriteLocks
@_exported public import UnfairLocks
