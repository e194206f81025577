final class Thermometer {}
nonisolated(unsafe) var thermometer: Thermometer?
