"""Every benchmark, one after another.  `python -m benchmarks`"""

from . import engine, mail, mailboxes, names, ocr, office, pdf, pipeline, xlsx

pipeline.main()
engine.main()
mail.main()
mailboxes.main()
names.main()
pdf.main()
ocr.main()
office.main()
xlsx.main()
