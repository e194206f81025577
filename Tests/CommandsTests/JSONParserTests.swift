internal import Commands
internal import Testing

@Suite("JSON parser")
struct JSONParserTests {
  @Test("Every kind of value is read")
  func kinds() throws {
    let text = """
       { "a" : [ 1, -2.5e3, true , false,null ,"x"], "empty": {}, "none":[ ],\t"deep": {"b": [[0]]} }
      """
    let value = try JSONParser.value(of: text)
    #expect(value["a"] == [1, .number(-2_500), .bool(true), .bool(false), .null, "x"])
    #expect(value["empty"] == [:])
    #expect(value["none"] == .array([]))
    #expect(value["deep"]?["b"] == [[0]])
    #expect(value["missing"] == nil)
    #expect(try JSONParser.value(of: "0.5").number == 0.5)
    #expect(try JSONParser.value(of: "7").number == 7)
  }

  @Test("Escaped characters are read, also those of two code units")
  func escapes() throws {
    let text = #""\" \\ \/ \b\f\n\r\t \u00e9 \ud83d\udd12 é🔒""#
    #expect(try JSONParser.value(of: text) == .string("\" \\ / \u{8}\u{C}\n\r\t é 🔒 é🔒"))
  }

  @Test("What is written is read")
  func roundTrip() throws {
    let value: JSONValue = [
      "text": .string("quote \" backslash \\ line\nbell\u{07} µ 🔒"), "list": [1, "two", .array([]), .null],
      "number": .number(1.25e-7), "object": ["yes": .bool(true)],
    ]
    #expect(try JSONParser.value(of: value.text) == value)
  }

  @Test(
    "What is no JSON is refused, with the line",
    arguments: [
      ("", 1, "it ends too early"), ("{\n\n", 3, "no member's name"), ("[1,\n]", 2, "no value"),
      ("[1 2]", 1, "no ']' at an array's end"), ("{\"a\" 1}", 1, "no ':' after a member's name"),
      ("{\"a\": 1", 1, "no '}' at an object's end"), ("1 2", 1, "there is something after the end"),
      ("tru", 1, "no value"), ("nan", 1, "no value"), ("+1", 1, "no value"), ("01", 1, "no value"),
      ("1.", 1, "no value"), (".5", 1, "no value"), ("\"a", 1, "a string does not end"),
      ("\"\n\"", 1, "a control character in a string"),
      (#""\x""#, 1, "an unknown character behind a backslash"),
      (#""\u12""#, 1, "no four hexadecimal digits behind \\u"),
      (#""\ud83d""#, 1, "half of a surrogate pair"), (#""\ud83d\u0041""#, 1, "half of a surrogate pair"),
    ])
  func refused(text: String, line: Int, reason: String) {
    let error = #expect(throws: JSONParser.Failure.self) { try JSONParser.value(of: text) }
    #expect(error?.description == "line \(line): \(reason)")
  }

  @Test("Nesting that would exhaust the stack is refused")
  func nesting() {
    let text = String(repeating: "[", count: 100_000)
    let error = #expect(throws: JSONParser.Failure.self) { try JSONParser.value(of: text) }
    #expect(error?.reason == "nested too deeply")
  }
}
