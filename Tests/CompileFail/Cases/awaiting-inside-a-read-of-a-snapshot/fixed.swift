import Snapshots

func show(_ page: String) async {}

func refresh(_ pages: Snapshot<[String]>) async {
  await show(pages.current[0])
}
