"""Every benchmark, one after another.  `python -m benchmarks`"""

from . import engine, pipeline

pipeline.main()
engine.main()
