import { type RateLine, rateLine } from '@waybill/contract/pricing/rate-cards'

/** The lines of a rate card as text for spreadsheets: prices in whole currency units, weights in grams. */

const columns = [
  ['scope', 'scope'],
  ['carrier', 'carrier'],
  ['service', 'serviceType'],
  ['origin', 'originZone'],
  ['destination', 'destinationZone'],
  ['min_grams', 'minWeightGrams'],
  ['max_grams', 'maxWeightGrams'],
  ['first_grams', 'firstWeightGrams'],
  ['first_price', 'firstPriceMinor'],
  ['step_grams', 'stepWeightGrams'],
  ['step_price', 'stepPriceMinor'],
  ['days', 'transitDays'],
] as const

const words = new Set(['scope', 'carrier', 'serviceType', 'originZone', 'destinationZone'])
const prices = new Set(['firstPriceMinor', 'stepPriceMinor'])

/** The table as a file that spreadsheets open. */
export function toCsv(lines: readonly RateLine[]): string {
  const rows = lines.map((line) =>
    columns.map(([, key]) => (prices.has(key) ? (Number(line[key]) / 100).toFixed(2) : String(line[key]))).join(','),
  )
  return `${[columns.map(([name]) => name).join(','), ...rows].join('\r\n')}\r\n`
}

/** A problem of a table: the row number of the spreadsheet, and the column. */
export type TableProblem = { row: number; column: string }

/**
 * Cells are separated by commas, semicolons or tabs, whichever the first row uses. Columns are found by name, in any
 * order.
 */
export function parseRateTable(text: string): { lines: RateLine[]; problems: TableProblem[] } {
  const rows = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((row) => row.trim() !== '')
  const separator = ['\t', ';', ','].find((each) => rows[0]?.includes(each)) ?? ','
  const splitCells = (row: string) => row.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
  const header = splitCells(rows[0] ?? '').map((name) => name.toLowerCase())
  const missing = columns.filter(([name]) => !header.includes(name))
  if (missing.length > 0) return { lines: [], problems: missing.map(([column]) => ({ row: 1, column })) }
  const lines: RateLine[] = []
  const problems: TableProblem[] = []
  for (const [index, row] of rows.slice(1).entries()) {
    const cells = splitCells(row)
    const cellEntries = columns.map(([name, key]) => {
      const cell = cells[header.indexOf(name)] ?? ''
      if (words.has(key)) return [key, cell]
      const number = cell === '' ? Number.NaN : Number(cell)
      return [key, prices.has(key) ? Math.round(number * 100) : number]
    })
    const parseResult = rateLine.safeParse(Object.fromEntries(cellEntries))
    if (parseResult.success) lines.push(parseResult.data)
    else {
      const key = parseResult.error.issues[0]?.path[0]
      problems.push({ row: index + 2, column: columns.find(([, each]) => each === key)?.[0] ?? '' })
    }
  }
  return { lines, problems }
}
