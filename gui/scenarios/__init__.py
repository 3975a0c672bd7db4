"""The scenario editor and simulator."""
