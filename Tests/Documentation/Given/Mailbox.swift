import Jobs

struct Page: Sendable {}
let page = Page()
func show(_ page: Page) {}
