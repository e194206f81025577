import Protectors

func reset(_ names: Protector<[String]>) {
  names.withWriteLock { $0 = [] }
}
