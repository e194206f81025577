import Foundation

// Usage: extract FOLDER FILE…: writes each code sample of the files to a Swift file in the folder. The script
// `check` says what a sample is.

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data("documentation: \(text)\n".utf8))
  exit(1)
}

func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

struct Sample {
  var given = ""
  var imports = ""
  var code: String?
  var firstLine = 0
  var isMode5 = false
  var run: String?

  /// The program of the sample, and the end of the name of its file.
  func program(from path: String) -> (text: String, suffix: String) {
    var code = code ?? ""
    if let run {
      guard let end = text("Tests/Documentation/Run/\(run).swift") else { fail("\(run).swift is missing") }
      code += end
    }
    var opening = given + imports
    let isBody = path.hasSuffix(".swift")
    if isBody {
      let name = path.split(separator: "/").last!
      let common = text("Tests/Documentation/Given/\(name)") ?? ""
      let isOnMainActor = common.hasPrefix("// The samples run on the main actor.")
      opening = common + opening + (isOnMainActor ? "@MainActor " : "") + "func sample() "
      opening += (code.contains("await ") ? "async " : "") + "throws {\n"
    }
    let place = "#sourceLocation(file: \"\(path)\", line: \(firstLine))\n"
    return (
      opening + place + code + (isBody ? "}\n" : ""),
      (isMode5 ? ".mode5" : "") + (isBody ? ".body" : "") + (run == nil ? "" : ".run") + ".swift"
    )
  }
}

let folder = CommandLine.arguments[1]
for path in CommandLine.arguments.dropFirst(2) {
  guard let text = text(path) else { fail("\(path) can't be read") }
  let isSource = path.hasSuffix(".swift")
  var count = 0
  var sample = Sample()
  var isInGiven = false
  for (index, line) in text.components(separatedBy: "\n").enumerated() {
    let line = isSource ? line.replacing(/^ *\/\/\/ ?/, with: "") : line
    let trimmed = line.drop { $0 == " " }
    if isInGiven {
      isInGiven = !line.hasPrefix("-->")
      if !isSource, line.hasPrefix("import ") {
        fail("\(path):\(index + 1): the sample itself has to show its imports")
      }
      if isInGiven { sample.given += line + "\n" }
    } else if let code = sample.code, trimmed.hasPrefix("```") {
      if !code.hasPrefix("// Package.swift") {
        count += 1
        let (program, suffix) = sample.program(from: path)
        let name = (path as NSString).deletingPathExtension.replacing("/", with: "-")
        try program.write(toFile: "\(folder)/\(name)-\(count)\(suffix)", atomically: false, encoding: .utf8)
      }
      sample = Sample()
    } else if let code = sample.code {
      let isImport = isSource && line.hasPrefix("import ")
      if isImport { sample.imports += line + "\n" }
      sample.code = code + (isImport ? "" : line.replacing("…", with: "")) + "\n"
    } else if line.hasPrefix("<!-- given") {
      isInGiven = true
    } else if line.hasPrefix("<!-- mode 5 -->") {
      sample.isMode5 = true
    } else if let run = line.firstMatch(of: /^<!-- run (\S+)/) {
      sample.run = String(run.1)
    } else if trimmed.hasPrefix("```swift") {
      sample.code = ""
      sample.firstLine = index + 2
    }
  }
  if sample.code != nil || isInGiven { fail("\(path): a sample, or what is given to it, has no end") }
}
