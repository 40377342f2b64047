/** Reports with the company's name, address and colour. */
import type { Readable } from 'node:stream'
import { intlLocale, type Locale } from '@waybill/contract/ground/constants'
import type { Deps } from '../../deps.ts'
import { type Report, renderReports } from '../../lib/print/report-pdf.ts'

export type CompanyReport = Omit<Report, 'issuer' | 'colour'> & {
  /** The number or period of the document. It follows the title in the PDF's properties. */
  reference: string
  /** Shown below the company's address. */
  registration?: readonly string[]
}

/** A report issued by the company, as a PDF. `locale` is the language of its texts. */
export function renderCompanyReport(
  deps: Pick<Deps, 'settings' | 'clock'>,
  locale: Locale,
  report: CompanyReport,
): Readable {
  return renderCompanyReports(deps, locale, [report])
}

/** Reports as one PDF, each from a page 1 of its own. The first one names the document. */
export function renderCompanyReports(
  { settings, clock }: Pick<Deps, 'settings' | 'clock'>,
  locale: Locale,
  reports: readonly CompanyReport[],
): Readable {
  const name = settings.get('company.name')
  const address = settings.get('company.address').split('\n')
  const [first] = reports
  return renderReports(
    reports.map(({ reference: _, registration = [], ...report }) => {
      const lines = [...address, ...registration].filter((line) => line.trim() !== '')
      return { ...report, issuer: { name, lines }, colour: settings.get('ui.primaryColour') }
    }),
    {
      title: first ? `${first.title} ${first.reference}` : name,
      author: name,
      language: intlLocale(locale),
      createdAt: clock.now(),
    },
  )
}
