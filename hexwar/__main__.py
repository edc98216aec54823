"""`python -m hexwar` is the command line."""

import sys

from hexwar.cli import main

if __name__ == "__main__":
    sys.exit(main())
