"""Every benchmark, one after another.  `python -m benchmarks`"""

from . import engine, ocr, office, pdf, pipeline, xlsx

pipeline.main()
engine.main()
pdf.main()
ocr.main()
office.main()
xlsx.main()
