"""What clang knows about a source file, asked through libclang."""
