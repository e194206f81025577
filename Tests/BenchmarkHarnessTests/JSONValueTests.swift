internal import BenchmarkHarness
internal import Foundation
internal import Testing

@Suite("JSON")
struct JSONValueTests {
  /// What another program makes of the document.
  private func parsed(_ value: JSONValue) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(value.text.utf8))
    return try #require(object as? [String: Any])
  }

  @Test("Every kind of value survives")
  func kinds() throws {
    let text = "quote \" backslash \\ line\nreturn\rtab\t bell\u{07} µ ± 🔒"
    let object = try parsed([
      "text": .string(text), "number": .number(1.25e-7), "integer": .integer(.max), "yes": .bool(true),
      "nothing": .null, "infinite": .number(.infinity), "list": .array([1, "two", .array([])]), "empty": [:],
    ])
    #expect(object["text"] as? String == text)
    #expect(object["number"] as? Double == 1.25e-7)
    #expect(object["integer"] as? Int == .max)
    #expect(object["yes"] as? Bool == true)
    #expect(object["nothing"] is NSNull)
    #expect(object["infinite"] is NSNull)
    #expect((object["list"] as? [Any])?.count == 3)
    #expect((object["empty"] as? [String: Any])?.isEmpty == true)
  }

  @Test("Members keep their order and figures stand on one line")
  func layout() {
    let value: JSONValue = ["b": [1, 2], "a": ["c": .bool(false)]]
    #expect(value.text == "{\n  \"b\": [1, 2],\n  \"a\": {\n    \"c\": false\n  }\n}")
  }
}
