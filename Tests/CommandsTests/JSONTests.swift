internal import Commands
internal import Testing

@Suite("JSON")
struct JSONTests {
  private let document: JSONObject = [
    "b": [1, 2], "a": ["c": false, "n": nil as Int?] as JSONObject, "t": ["[", "x\n]", "/"],
    "e": [] as [Int], "o": [["p": 1]],
  ]

  @Test("Members are sorted, arrays of plain values are on one line, and nil is null")
  func layout() throws {
    #expect(
      try JSON.text(document) == """
        {
          "a" : {
            "c" : false,
            "n" : null
          },
          "b" : [1, 2],
          "e" : [],
          "o" : [
            {
              "p" : 1
            }
          ],
          "t" : ["[", "x\\n]", "/"]
        }

        """)
    #expect(try JSON.line(["b": 1, "a": 2]) == "{\"a\":2,\"b\":1}\n")
  }

  @Test("A number that JSON does not have is refused")
  func infinity() {
    #expect(throws: FileFailure.self) { try JSON.text([1, Double.infinity]) }
  }

  private struct Sample: Decodable, Equatable {
    let list: [Int]
  }

  @Test(
    "An error is reported with its place",
    arguments: [
      ("{}", "no 'list'"), (#"{"list":1}"#, "'list' is of another kind"),
      (#"{"list":[1,null]}"#, "'list.1' is of another kind"),
      (#"{"list":[1,"#, "no JSON: Unexpected end of file during JSON parse."),
      ("", "no JSON: Unexpected end of file during JSON parse."),
      ("{\n x}", "no JSON: Invalid value around character 3."),
    ])
  func refused(text: String, reason: String) throws {
    #expect(throws: FileFailure(reason)) { try JSON.value(Sample.self, of: text) }
    #expect(try JSON.value(Sample.self, of: #"{"list":[1],"new":2}"#) == Sample(list: [1]))
  }
}
