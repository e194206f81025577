import Protectors
