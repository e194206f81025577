// Re-exports the modules of the locks. A client that names a lock in its own interface, for example in an
// inlined function over `Protector`, then needs no second import and no second product.

@_exported public import ReadWriteLocks
@_exported public import UnfairLocks
