import Testing

/// The promises of every `ReadWriteLock`, tested with every implementation.
///
/// The tests are in extensions, with one file for each aspect; that sections exclude one another is tested in
/// `SectionMixStressTests` and `TimeoutStressTests`. The tests run one after another, because each of
/// them uses more threads than most machines have processors.
@Suite(.serialized) struct ReadWriteLockContract {}
