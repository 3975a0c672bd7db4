"""The switchboard: each rule of a simulated run as a switch, flipped by a click."""
