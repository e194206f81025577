import Testing

/// What every `ReadWriteLock` promises, run against every implementation.
///
/// The tests are in extensions, one file for each aspect. They run one after another: each has more threads
/// than there are processors.
@Suite(.serialized) struct ReadWriteLockContract {}
