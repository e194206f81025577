import Snapshots

struct File: ~Copyable {
  var offset: Int
}

func rewind(_ file: Snapshot<File>) {
  file.publish(File(offset: 0))
}
