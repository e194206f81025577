import Protectors

func load() async -> String { "page" }

func refresh(_ pages: Protector<[String]>) async {
  let page = await load()
  pages.withWriteLock { $0.append(page) }
}
