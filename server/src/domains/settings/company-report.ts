/** Reports with the company's name, address and colour. */
import type { Readable } from 'node:stream'
import { intlLocale, type Locale } from '@waybill/contract/ground/constants'
import type { Deps } from '../../deps.ts'
import { type Report, renderReport } from '../../lib/print/report-pdf.ts'

type CompanyReport = Omit<Report, 'issuer' | 'colour'> & {
  /** The number or period of the document. It follows the title in the PDF's properties. */
  reference: string
  /** Shown below the company's address. */
  registration?: readonly string[]
}

/** A report issued by the company, as a PDF. `locale` is the language of its texts. */
export function renderCompanyReport(
  { settings, clock }: Pick<Deps, 'settings' | 'clock'>,
  locale: Locale,
  { reference, registration = [], ...report }: CompanyReport,
): Readable {
  const name = settings.get('company.name')
  const lines = [...settings.get('company.address').split('\n'), ...registration].filter((line) => line.trim() !== '')
  return renderReport(
    { ...report, issuer: { name, lines }, colour: settings.get('ui.primaryColour') },
    {
      title: `${report.title} ${reference}`,
      author: name,
      language: intlLocale(locale),
      createdAt: clock.now(),
    },
  )
}
