"""The build of a source tree for AMD GPUs: sources, units, compilation, link, report."""
