"""anonify removes sensitive values from documents and proves they are gone."""

__version__ = "0.1.0"
