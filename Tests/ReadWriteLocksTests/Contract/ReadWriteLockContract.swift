import Testing

/// The promises of every `ReadWriteLock`, tested with every implementation.
///
/// The tests are in extensions, one file for each aspect. They run one after another, because each has more
/// threads than there are processors.
@Suite(.serialized) struct ReadWriteLockContract {}
