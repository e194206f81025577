// The samples run on the main actor.
import ViewModels

struct Server: PlayerUploader { func upload(_ upload: PlayerUpload) async throws {} }
let (server, names) = (Server(), ["Ann", "Bob"])
