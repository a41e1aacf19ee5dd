"""The whole pipeline in one process, without a server: what the command line and the Python API stand on.

Import the modules: a caller that only opens a document must not pay for the engine.

    session.py   an embedded installation that redacts files
    opened.py    a file as a normalized document, without a database
    wanted.py    what a caller wants, and what it is told
    files.py     reading originals, writing results whole
"""
