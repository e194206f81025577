import Snapshots

func register(_ names: Snapshot<[String]>) {
  names.update { names in
    names.append("Ann")
  }
}
