import ViewModels

// A client of the product ViewModels alone: it shows that the product compiles and loads by itself.

struct AcceptingUploader: PlayerUploader {
  func upload(_ upload: PlayerUpload) async throws {}
}

/// Edits and uploads a player in a form, and returns the player's names and points that the form has shown.
@MainActor
func useForm() async -> [String] {
  let translations = NameTranslations { ["Peter": "Pierre"] }
  let player = PlayerViewModel(translations: translations, uploader: AcceptingUploader())
  let messages = player.events.take(1).map(\.message).values()
  var shown: [String] = []
  let subscription = player.states.map(\.name).combine(player.states.map(\.points)) { "\($0) \($1)" }
    .observe { shown.append($0) }

  player.perform(.rename("Peter"), .stepUp)
  player.perform(.upload)
  player.perform(.rename("Paul"))
  for await message in messages {
    precondition(message == "Uploaded Peter with 101 points.")
  }
  subscription.end()
  player.perform(.rename("Ann"))
  precondition(player.state.uploads == 1)
  precondition(translations["Peter"] == "Pierre")
  return shown
}

let shown = await useForm()
precondition(shown == ["Colin 100", "Peter 101", "Paul 101"])
print("ViewModels: shown \(shown)")
