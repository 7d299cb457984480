"""The corpus as a whole: every program ported and built for real AMD targets."""
