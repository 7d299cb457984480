"""The platforms that programs run on: each module is one, with an object PLATFORM."""
