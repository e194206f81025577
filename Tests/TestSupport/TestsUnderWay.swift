internal import Foundation

/// The tests that have begun and not ended, from the testing library's stream of events.
///
/// A test can count as begun long before its function runs: the library reports tests as begun before it has
/// threads for them.
struct TestsUnderWay {
  /// A test, or one case of a test with arguments.
  private struct Key: Hashable {
    var test: String
    var testCase: String?
  }

  private struct Test {
    var title: String
    var isParameterized: Bool
  }

  private var tests: [String: Test] = [:]
  private var begun: [Key: String] = [:]

  var isEmpty: Bool { begun.isEmpty }

  /// One line for each test that is under way, sorted by the tests' identifiers.
  var report: String {
    begun.sorted { $0.key.test < $1.key.test }.map { "  \($0.value)\n" }.joined()
  }

  /// Records one line of the testing library's event stream, which is a JSON object.
  ///
  /// The line may describe a test, or report that a test or one of its cases has begun or ended. Any other
  /// line is ignored.
  mutating func note(_ line: Data) {
    guard let record = try? JSONDecoder().decode(Record.self, from: line) else { return }
    let payload = record.payload
    switch (record.kind, payload.kind) {
    case ("test", "function"):
      guard let id = payload.id else { return }
      tests[id] = Test(title: payload.title, isParameterized: payload.isParameterized == true)
    case ("event", "testStarted"):
      guard let id = payload.testID, let test = tests[id], !test.isParameterized else { return }
      begun[Key(test: id)] = test.title
    case ("event", "testCaseStarted"):
      guard let id = payload.testID, let test = tests[id] else { return }
      begun[Key(test: id, testCase: payload.testCase?.id)] =
        test.title + (payload.testCase.map { " with \($0.displayName)" } ?? "")
    case ("event", "testCaseEnded"):
      guard let id = payload.testID else { return }
      begun[Key(test: id, testCase: payload.testCase?.id)] = nil
    case ("event", "testEnded"):
      begun = begun.filter { $0.key.test != payload.testID }
    default: break
    }
  }

  private struct Record: Decodable {
    struct Payload: Decodable {
      struct Location: Decodable {
        var fileID: String
        var line: Int
      }

      struct TestCase: Decodable {
        var id: String
        var displayName: String
      }

      enum CodingKeys: String, CodingKey {
        case kind, id, testID, name, displayName, isParameterized, sourceLocation
        // The underscore marks a key that is not yet in the stable format of the event stream.
        case testCase = "_testCase"
      }

      var kind: String
      var id: String?
      var testID: String?
      var name: String?
      var displayName: String?
      var isParameterized: Bool?
      var sourceLocation: Location?
      var testCase: TestCase?

      var title: String {
        let title = displayName.map { "\"\($0)\"" } ?? name ?? ""
        return title + (sourceLocation.map { " at \($0.fileID):\($0.line)" } ?? "")
      }
    }

    var kind: String
    var payload: Payload
  }
}
