import ContentionProfiles

ContentionProfile.start()
ContentionProfile.stop()
precondition(ContentionProfile.report().locks.isEmpty)
