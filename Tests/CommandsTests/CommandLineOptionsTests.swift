internal import Commands
internal import Testing

@Suite("Command line options")
struct CommandLineOptionsTests {
  private struct Sample: CommandLineOptions {
    var file: String?
    var rest: [String] = []

    init(parsing arguments: [String]) throws(UsageError) {
      var rest = arguments[...]
      while let argument = rest.popFirst() {
        let (name, attached) = Self.split(argument)
        guard name == "--file" else {
          self.rest.append(argument)
          continue
        }
        file = try Self.value("a file", of: name, attached, &rest)
      }
    }

    static let help = ""
  }

  @Test("A value is the next argument, or what is behind the first =")
  func values() throws {
    #expect(try Sample(parsing: ["--file", "a", "b"]).file == "a")
    #expect(try Sample(parsing: ["--file", "a", "b"]).rest == ["b"])
    #expect(try Sample(parsing: ["--file=a=b"]).file == "a=b")
    #expect(try Sample(parsing: ["--file=--a"]).file == "--a")
    #expect(try Sample(parsing: ["--file", "-"]).file == "-")
  }

  @Test("An option without its value says so", arguments: [[], [""], ["--file"], ["--other", "a"]])
  func missingValues(following: [String]) {
    let error = #expect(throws: UsageError.self) { try Sample(parsing: ["--file"] + following) }
    #expect(error?.description == "--file needs a file")
    #expect(throws: UsageError("--file needs a file")) { try Sample(parsing: ["--file="] + following) }
  }
}
