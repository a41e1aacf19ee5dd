"""Every benchmark, one after another.  `python -m benchmarks`"""

from . import engine, mail, mailboxes, ocr, office, pdf, pipeline, xlsx

pipeline.main()
engine.main()
mail.main()
mailboxes.main()
pdf.main()
ocr.main()
office.main()
xlsx.main()
