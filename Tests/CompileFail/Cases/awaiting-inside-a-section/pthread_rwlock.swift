import Foundation

func load() async { await Task.yield() }

@MainActor final class Pages {
  let lock = makePthreadLock()
  var count = 0

  func refresh() async {
    pthread_rwlock_wrlock(lock)
    let before = count
    await load()
    count = before + 1
    pthread_rwlock_unlock(lock)
  }
}

@MainActor func run() async {
  let pages = Pages()
  let one = Task { await pages.refresh() }
  let other = Task { await pages.refresh() }
  await one.value
  await other.value
  conclude(pages.count, shouldBe: 2)
}
