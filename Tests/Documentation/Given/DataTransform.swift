import ViewModels

struct Photo: Sendable {}
let photo = Photo()
func scale(_ photo: Photo, to size: Int) -> Photo { photo }
