import ContentionProfiles

// A client of the product ContentionProfiles alone: it shows that the product compiles and loads by itself.

ContentionProfile.start()
precondition(ContentionProfile.isOn)
ContentionProfile.stop()
let report = ContentionProfile.report()
precondition(report.locks.isEmpty && report.duration > .zero)
print("ContentionProfiles: \(report.waits) waits")
