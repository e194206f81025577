import LazyInitialization

func migrate() {}

func connect(_ migration: borrowing Once) async {
  migration.run { migrate() }
}
