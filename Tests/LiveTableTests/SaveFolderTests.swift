internal import Commands
internal import Foundation
@testable import LiveTables
internal import TestSupport
internal import Testing
internal import ViewModels

@MainActor
@Suite("The folder of --save", .timeLimit(.minutes(20)))
struct SaveFolderTests {
  /// An uploader without a server.
  private struct Anywhere: PlayerUploader {
    func upload(_ upload: PlayerUpload) async throws {}
  }

  private let path = temporaryPath("save")

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }

  private func upload(_ name: String) async -> PlayerUpload {
    let player = PlayerViewModel(PlayerState(name: name), uploader: Anywhere())
    let events = player.events.values()
    player.perform(.upload)
    for await case .uploaded(let upload) in events { return upload }
    fatalError("no upload")
  }

  @Test("Threads that write first at the same time make one folder, and no line is lost")
  func uploads() async throws {
    let folder = SaveFolder(path: "\(path)/new")
    let upload = await upload("Ann")
    race(threads: 4) { _ in for _ in 0..<50 { folder.record(upload) } }
    try folder.check()
    let lines = try text("new/uploads.txt").split(separator: "\n")
    #expect(lines == Array(repeating: "Ann with 100 points", count: 200))
  }

  @Test("A folder that can't be made is reported, and made when it can be")
  func failure() async throws {
    let upload = await upload("Ann")
    try "a file".write(toFile: path, atomically: false, encoding: .utf8)
    let folder = SaveFolder(path: "\(path)/new")
    folder.record(upload)
    let failure = #expect(throws: FileFailure.self) { try folder.check() }
    #expect(failure?.description.hasPrefix("can't write \(path)/") == true)
    try FileManager.default.removeItem(atPath: path)
    folder.record(upload)
    let line = try text("new/uploads.txt")
    #expect(line == "Ann with 100 points\n")
  }

  @Test("A run saves its last rows, and nothing of it remains")
  func rows() throws {
    let folder = SaveFolder(path: path)
    let session = Session(SessionSettings(seed: 1, initialRows: ["a", "b"]), savingTo: folder)
    session.restart(workers: 0)
    #expect(session.apply(.insert("c", .index(1))))
    #expect(session.end().isClean)
    try folder.check()
    let rows = try text("rows.txt")
    #expect(rows == "a\nc\nb\n")
  }

  @Test("The server serves one upload at a time, and refuses every third")
  func server() async {
    let (server, upload) = (SimulatedServer(delay: .zero), await upload("Ann"))
    let refused = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<9 {
        group.addTask {
          do { try await server.upload(upload) } catch { return error is SimulatedServer.Busy ? 1 : 0 }
          return 0
        }
      }
      var refused = 0
      for await one in group { refused += one }
      return refused
    }
    #expect(refused == 3)
  }
}
