internal import LiveTables
internal import Testing
internal import ViewModels

@MainActor
@Suite("Screen")
struct ScreenTests {
  /// A server that refuses every upload.
  private struct FullServer: PlayerUploader {
    struct Refusal: Error {}

    func upload(_ upload: PlayerUpload) async throws { throw Refusal() }
  }

  private func state(
    rows: [ScreenState.Window.Row] = [], start: Int = 0, count: Int? = nil,
    player: PlayerState = PlayerState(),
    prompt: ScreenState.Prompt? = nil, _ adjust: (inout Figures) -> Void = { _ in }
  ) -> ScreenState {
    var figures = Figures()
    figures.workers = 8
    figures.strategy = "tree"
    figures.generation = 2
    figures.elapsed = .milliseconds(12_345)
    adjust(&figures)
    return ScreenState(
      figures: figures, table: ScreenState.Window(rows: rows, start: start, count: count ?? rows.count),
      player: player, prompt: prompt)
  }

  private func text(_ state: ScreenState, columns: Int = 80, rows: Int = 14) -> [String] {
    Screen.frame(state, size: Size(columns: columns, rows: rows)).text
  }

  @Test("The head has workers, strategy, generation, edits by kind, queue and violations")
  func head() {
    let text = text(
      state(rows: [.init(text: "thread-1")], start: 4, count: 9) { figures in
        figures.inserted = 30
        figures.removed = 12
        figures.modified = 99
        figures.queued = 3
        figures.longestQueue = 120
        figures.violations = 1
      })
    #expect(text[0] == " livetable  8 workers  tree  generation 2  12.3 s")
    #expect(text[1] == " 141 edits  +30 inserted  -12 removed  ~99 modified  11 a second")
    #expect(text[2] == " rows 5 to 5 of 9  queue 3 max 120  violations 1")
    #expect(
      self.text(state(rows: [.init(text: "a")]) { $0.shelved = 3 })[2].hasPrefix(
        " rows 1 to 1 of 1, 3 on the shelf  "))
    #expect(self.text(state { $0.workers = 1 })[0].hasPrefix(" livetable  1 worker  tree"))
    #expect(self.text(state())[2] == " no rows  queue 0 max 0  violations 0")
  }

  @Test("The lines on contention are between the head and the rows, which have that much less room")
  func contention() {
    let rows = (0..<20).map { ScreenState.Window.Row(text: "row-\($0)") }
    var state = state(rows: rows)
    let without = text(state)
    state.contention = [" contention  3 waits", "  70 %  UnfairLock"]
    let with = text(state)
    #expect(with.count == without.count)
    #expect(with[..<3] == without[..<3])
    #expect(Array(with[3..<5]) == state.contention)
    #expect(with[5...] == without[3..<7] + without[9...])
    let size = Size(columns: 80, rows: 14)
    #expect(Screen.rowCapacity(of: size, moreLines: 2) == Screen.rowCapacity(of: size) - 2)
  }

  @Test("Rows have their number, what has happened to them lately, and the latest change a sign")
  func rows() {
    let text = text(
      state(
        rows: [
          .init(text: "thread-1"), .init(text: "thread-2-3", mark: .modified, isLatest: true),
          .init(text: "thread-4", mark: .inserted),
        ], start: 8, count: 11))
    #expect(text[3...6] == [" 9   thread-1", "10 ~ thread-2-3 <", "11 + thread-4", ""])
  }

  @Test("The form stands below the rows, and the keys on the last line, on a terminal of any height")
  func form() {
    for rows in [8, 9, 14, 60] {
      let text = text(state(rows: [.init(text: "a")]), rows: rows)
      #expect(text.count == rows)
      #expect(text[rows - 5] == " Player")
      #expect(text[rows - 4] == " Name    Colin  n to change it")
      #expect(text[rows - 3] == " Points  100  0 of 10 updates  [-] [+]")
      #expect(text[rows - 2] == " Upload  0 of 5  [u]")
      #expect(text[rows - 1].hasPrefix(" r restart"))
      #expect(text[rows - 1].hasSuffix("q quit"))
    }
  }

  @Test("Impossible actions are not offered, and the last event is shown")
  func formWithoutControls() {
    let player = PlayerViewModel(
      PlayerState(pointUpdateLimit: 1, forbiddenNames: ["Nobody"]), uploader: FullServer())
    player.perform(.stepUp)
    player.perform(.rename("Nobody"))
    let lines = text(state(player: player.state))
    #expect(lines[10] == " Name    (none)  n to change it")
    #expect(lines[11] == " Points  101  1 of 1 updates")
    #expect(lines[12] == " Upload  0 of 5  [u]  not valid  The name Nobody is forbidden.")
    let ended = PlayerState(uploadLimit: 0)
    #expect(
      text(state(player: ended))[10...12] == [
        " Name    Colin  done", " Points  100  0 of 10 updates", " Upload  0 of 0",
      ])
  }

  @Test("A question takes the place of the keys")
  func prompt() {
    let text = text(state(prompt: .init(.workers, text: "12")))
    #expect(text[13] == " How many workers? 12   Enter, or Escape to leave it")
  }

  @Test("As many rows are asked for as can be seen", arguments: [(24, 16), (9, 1), (8, 0), (3, 0), (0, 0)])
  func capacity(rows: Int, capacity: Int) {
    #expect(Screen.rowCapacity(of: Size(columns: 80, rows: rows)) == capacity)
  }

  @Test("Everything is clipped to a terminal of any size")
  func clipping() {
    let rows = (0..<100).map { ScreenState.Window.Row(text: "thread-\($0)", mark: .modified) }
    for columns in [0, 1, 7, 40, 200] {
      for height in [0, 1, 5, 8, 30] {
        let text = text(state(rows: rows), columns: columns, rows: height)
        #expect(text.count == height)
        #expect(text.allSatisfy { $0.count <= columns })
      }
    }
  }
}
