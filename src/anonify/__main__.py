"""`python -m anonify` is the `anonify` command."""

from anonify.cli import main

if __name__ == "__main__":
    main()
