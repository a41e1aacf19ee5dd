"""Every benchmark, one after another.  `python -m benchmarks`"""

from . import engine, mail, ocr, office, pdf, pipeline, xlsx

pipeline.main()
engine.main()
mail.main()
pdf.main()
ocr.main()
office.main()
xlsx.main()
