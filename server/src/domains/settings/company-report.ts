/** Reports with the company's name, address and colour. */
import type { Readable } from 'node:stream'
import { intlLocale, type Locale } from '@waybill/contract/ground/constants'
import type { Translate } from '@waybill/contract/ground/validation'
import type { Deps } from '../../deps.ts'
import { type Report, type ReportCell, type ReportTable, renderReports } from '../../lib/print/report-pdf.ts'
import { showErased } from '../../lib/text/erased.ts'

export type CompanyReport = Omit<Report, 'issuer' | 'colour'> & {
  /** The number or period of the document. It follows the title in the PDF's properties. */
  reference: string
  /** Shown below the company's address. */
  registration?: readonly string[]
}

/** A report issued by the company, as a PDF. `locale` is the language of its texts. */
export function renderCompanyReport(
  deps: Pick<Deps, 'settings' | 'clock' | 'translations'>,
  locale: Locale,
  report: CompanyReport,
): Readable {
  return renderCompanyReports(deps, locale, [report])
}

/** Reports as one PDF, each from a page 1 of its own. The first one names the document. */
export function renderCompanyReports(
  { settings, clock, translations }: Pick<Deps, 'settings' | 'clock' | 'translations'>,
  locale: Locale,
  reports: readonly CompanyReport[],
): Readable {
  const name = settings.get('company.name')
  const address = settings.get('company.address').split('\n')
  const [first] = reports
  const t = translations(locale)
  return renderReports(
    reports.map(({ reference: _, registration = [], ...report }) => {
      const lines = [...address, ...registration].filter((line) => line.trim() !== '')
      return {
        ...report,
        ...showErasedRows(report, t),
        furtherTables: report.furtherTables?.map((table) => ({ ...table, ...showErasedRows(table, t) })) ?? [],
        facts: report.facts.map(([caption, value]) => [caption, showErased(value, t)] as const),
        issuer: { name, lines },
        colour: settings.get('ui.primaryColour'),
      }
    }),
    {
      title: first ? `${first.title} ${first.reference}` : name,
      author: name,
      language: intlLocale(locale),
      createdAt: clock.now(),
    },
  )
}

/** The rows of a table with the reader's words for erased names. */
function showErasedRows({ rows }: ReportTable, t: Translate): Pick<ReportTable, 'rows'> {
  const show = (text: string) => showErased(text, t)
  const showCell = (cell: ReportCell): ReportCell => {
    if (typeof cell === 'string') return show(cell)
    if ('lines' in cell) return { lines: cell.lines.map(show) }
    const [first, ...rest] = cell
    return [show(first), ...rest.map(show)]
  }
  async function* shownRows() {
    for await (const row of rows) yield { ...row, cells: row.cells.map(showCell) }
  }
  return { rows: shownRows() }
}
