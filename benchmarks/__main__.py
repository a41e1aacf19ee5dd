"""Every benchmark, one after another.  `python -m benchmarks`"""

from . import engine, ocr, office, pipeline

pipeline.main()
engine.main()
ocr.main()
office.main()
