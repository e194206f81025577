import ViewModels

struct AcceptingUploader: PlayerUploader {
  func upload(_ upload: PlayerUpload) async throws {}
}

/// Edits and uploads a player in a form, and returns the message that the form shows.
@MainActor
func useForm() async -> String {
  let translations = NameTranslations { ["Peter": "Pierre"] }
  let player = PlayerViewModel(translations: translations, uploader: AcceptingUploader())
  var message = ""
  player.onEvent = { message = $0.message }
  player.perform(.rename("Peter"), .stepUp)
  player.perform(.upload)
  player.perform(.rename("Paul"))
  while message.isEmpty { await Task.yield() }
  precondition(player.translatedName == "Paul" && translations["Peter"] == "Pierre")
  return message
}

let message = await useForm()
precondition(message == "Uploaded Peter with 101 points.")
print("ViewModels: \(message)")
