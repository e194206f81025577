package import Commands
internal import Dispatch
internal import LazyInitialization
internal import Lifecycles
internal import ViewModels

/// Saves the rows and the uploads of a run in the folder that the option `--save` names.
///
/// The file `rows.txt` is written about 200 ms after the rows have changed. `uploads.txt` has a line for each
/// successful upload. An `Autosave` and the tasks of uploads may write at the same time.
package final class SaveFolder: Sendable {
  private let path: String
  private let isMade = Once(label: "folder")
  private let uploads = OnceCell<OutputFile>(label: "uploads.txt")
  private let firstFailure = OnceCell<FileFailure>()

  /// Makes an object for the folder at `path`, which is created when its first file is opened.
  package init(path: String) {
    self.path = path
  }

  private func open(_ name: String) throws(FileFailure) -> OutputFile {
    // If creating the folder throws, the next caller of `open(_:)` tries again.
    try isMade.run { () throws(FileFailure) in try OutputFile.createDirectory(path) }
    return try OutputFile(path: "\(path)/\(name)")
  }

  /// Returns an `Autosave` that writes the rows to `rows.txt`, one on each line.
  ///
  /// The caller must pass each change to `rowsChanged(to:)`, and must invalidate the result at the end.
  func saveRows() -> Activation<Autosave> {
    var setup = Setup<Autosave>(Autosave.Configuration(filesOn: DispatchQueue(label: "save folder")))
    setup.configuration.delay = .milliseconds(200)
    setup.configuration.onFailure = { [self] error in fail(error as? FileFailure) }
    let activation = setup.activate()
    var text = ""
    activation.object.add { [self] rows in
      text.removeAll(keepingCapacity: true)
      for row in rows { text += "\(row.text)\n" }
      try open("rows.txt").write(text)
    }
    return activation
  }

  /// Adds a line for an upload to `uploads.txt`; stores the first failure in `failure`.
  func record(_ upload: PlayerUpload) {
    do throws(FileFailure) {
      try uploads.withValue(orInitialize: { () throws(FileFailure) in try openUploads() }) {
        file throws(FileFailure) in try file.append("\(upload.message)\n")
      }
    } catch {
      fail(error)
    }
  }

  private func openUploads() throws(FileFailure) -> OutputFile {
    let file = try open("uploads.txt")
    try file.clear()
    return file
  }

  private func fail(_ failure: FileFailure?) {
    if let failure { _ = firstFailure.set(failure) }
  }

  /// The first failure to write; `nil` if there was none.
  var failure: FileFailure? { firstFailure.value }

  /// Throws the first failure to write.
  package func check() throws(FileFailure) {
    if let failure { throw failure }
  }
}

/// Passes each upload to `uploader`, and records it in `folder` if it succeeds.
struct RecordedUploads: PlayerUploader {
  let uploader: any PlayerUploader
  let folder: SaveFolder?

  func upload(_ upload: PlayerUpload) async throws {
    try await uploader.upload(upload)
    folder?.record(upload)
  }
}
