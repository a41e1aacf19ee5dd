"""Every benchmark, one after another.  `python -m benchmarks`"""

from . import engine, ocr, pipeline

pipeline.main()
engine.main()
ocr.main()
