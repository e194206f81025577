import LazyInitialization

struct MigrationError: Error {}
func migrate() throws(MigrationError) {}

nonisolated(unsafe) var isMigrated = false
