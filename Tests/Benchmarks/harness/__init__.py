"""RunWay against programs that do the same work and nothing besides."""
