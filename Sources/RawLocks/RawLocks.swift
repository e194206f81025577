// What the author of a lock imports: the names that stand in the requirements of `RawLock` and `RawReadWriteLock`.
// Those who only use locks need none of them, and see none in completions.

@_exported public import ReadWriteLocks
@_exported public import UnfairLocks

@_exported public import struct InterlockCore.Deadline
@_exported public import struct InterlockCore.Primitive
@_exported public import struct InterlockCore.PrimitiveKind
@_exported public import struct InterlockCore.Probe
