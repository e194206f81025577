let browser = Browser()
try await browser.load("a")
precondition(browser.pages.count == 1)
