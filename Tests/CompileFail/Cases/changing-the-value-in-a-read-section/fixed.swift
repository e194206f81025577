import Protectors

func register(_ names: Protector<[String]>) {
  names.withWriteLock { names in
    names.append("Ann")
  }
}
