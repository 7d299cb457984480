"""From YAML to the compiled mapping database: reading, checking, packing, caching, counting."""
