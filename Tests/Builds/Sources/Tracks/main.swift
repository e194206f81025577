import Jobs
import Observers
import Protectors
import ViewModels

// Eight threads edit a million tracks, and a table on the main actor gets each edit in order.

struct Track: Identifiable, Sendable {
  let id: Int
  var artist: String
  var title: String
  var duration: Duration
}
struct Edit: Sendable {
  enum Change { case removed(Int), modified(Int), several }
  var change: Change
  var tracks: RowTree<Track>  // all of them, right after the change
}
@MainActor final class Table {
  private(set) var tracks = RowTree<Track>([])
  func show(_ edit: Edit) { tracks = edit.tracks }  // and removes or reloads rows of a view
}
final class Playlist: Sendable {
  private let tracks: Protector<RowTree<Track>>
  private let edits: OrderedDelivery<Edit>
  @MainActor init(_ tracks: RowTree<Track>, shownIn table: Table) {
    self.tracks = Protector(tracks)
    // At most 1000 edits wait for the main actor. A further edit is combined with the newest of them.
    edits = OrderedDelivery(
      limit: 1_000, combining: { $0 = Edit(change: .several, tracks: $1.tracks) },
      receive: { [weak table] edit in table?.show(edit) })
    table.show(Edit(change: .several, tracks: tracks))
  }
  func edit(_ body: (inout RowTree<Track>) -> Edit.Change) {  // on any thread
    tracks.withWriteLock { _ = edits.post(Edit(change: body(&$0), tracks: $0)) }
  }
  @MainActor func deliverNow() -> RowTree<Track> {
    edits.deliverNow()
    return tracks.value
  }
}
let table = Table()
let million = (0..<1_000_000).map { Track(id: $0, artist: "Ann", title: "\($0)", duration: .seconds(180)) }
let playlist = Playlist(RowTree(million), shownIn: table)
await withJobs { [playlist] jobs in  // so that the main actor is free while the threads run
  jobs.add {
    withThreads(8) { thread in
      for number in 0..<10_000 {
        playlist.edit { tracks in
          let index = Int.random(in: tracks.indices)
          if number % 10 > 0 { tracks[index].title += " by \(thread)" } else { tracks.remove(at: index) }
          return number % 10 > 0 ? .modified(index) : .removed(index)
        }
      }
    }
  }
}
let latest = playlist.deliverNow()
precondition(latest.count == 992_000 && table.tracks.elementsEqual(latest) { $0.title == $1.title })
print("Tracks: \(latest.count)")
