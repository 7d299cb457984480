"""`python -m hipify`."""

import sys

from hipify.cli import main

if __name__ == "__main__":
    sys.exit(main())
