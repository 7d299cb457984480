"""The commands of hipify: each module is one, with HELP, configure(parser) and run(args)."""
