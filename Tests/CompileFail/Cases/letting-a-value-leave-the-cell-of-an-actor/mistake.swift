// A non-Sendable value that leaves an actor's cell.
//
// The actor and its caller then use the value at the same time.
//
// It compiles in Swift 5 mode.

import LazyInitialization

actor Editor {
  private let cell = OnceCell<Document>()

  #if WRONG
    func document() async throws -> Document {
      try await cell.value(orInitialize: { Document() })
    }
  #else
    func edit() async throws {
      try await cell.value(orInitialize: { Document() }).edits += 1
    }
  #endif
}

func edit(in editor: Editor) async throws {
  #if WRONG
    try await editor.document().edits += 1
  // error: non-Sendable 'Document'-typed result can not be returned from actor-isolated instance
  // method 'document()' to nonisolated context
  #else
    try await editor.edit()
  #endif
}
