/** Spreadsheets of addresses: the address book, the template of an import, and the rows of one that have problems. */

import { Readable } from 'node:stream'
import {
  type AddressColumn,
  addressColumns,
  type exportAddresses,
  neededAddressColumns,
} from '@waybill/contract/addresses/import'
import type { Locale } from '@waybill/contract/ground/constants'
import type { QueryOf } from '@waybill/contract/ground/endpoint'
import { addressKindLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import type { Translate } from '@waybill/contract/ground/validation'
import { inBatches } from '../../../db/batches.ts'
import { containing } from '../../../db/conditions/like.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId } from '../../../http/caller.ts'
import { countryName } from '../../../lib/countries.ts'
import { type SheetColumn, sheetName, writeXlsx } from '../../../lib/sheet/write.ts'
import { problemCell, problemText, suggestionText } from '../../sheet-imports/describe-problems.ts'
import { type AddressRow, nextAddressRows } from '../queries.ts'
import { listSearchWords } from '../rules.ts'
import { listSheetRows, type SheetRow } from './queries-rows.ts'
import { type Reader as ImportReader, requireImport } from './service.ts'

type Reader = { locale: Locale; t: Translate }

/** Rows per query. */
const batch = 500

const widths: Partial<Record<AddressColumn, number>> = {
  line1: 36,
  line2: 26,
  contactName: 24,
  email: 26,
  postcode: 10,
}

const buildHeader = ({ t }: Reader, column: AddressColumn) => t(`fields.${column}`)

/** Streams the addresses that the list shows with the same filters, by name. The file can be imported again. */
export function addressesSheet(
  { db }: Deps,
  accountId: AccountId,
  { search, kind }: QueryOf<typeof exportAddresses>,
  reader: Reader,
): Readable {
  const filter = { accountId, kind: kind ?? null, patterns: listSearchWords(search ?? '').map(containing) }
  const rows = inBatches<AddressRow>((after) => nextAddressRows(db, filter, after, batch))
  async function* cells() {
    for await (const row of rows) yield buildCells(row, reader)
  }
  return writeXlsx(cells(), {
    name: reader.t('addressBook.title'),
    columns: sheetColumns(reader),
  })
}

const sheetColumns = (reader: Reader): SheetColumn[] =>
  addressColumns.map((column) => ({ header: buildHeader(reader, column), kind: 'text', width: widths[column] ?? 18 }))

function buildCells(row: AddressRow, { locale }: Reader): (string | null)[] {
  const values: Record<AddressColumn, string | null> = {
    contactName: row.contact_name,
    company: row.company,
    phone: row.phone,
    email: row.email,
    line1: row.line1,
    line2: row.line2,
    postcode: row.postcode,
    city: row.city,
    state: row.state,
    country: countryName(row.country, locale),
    label: row.label,
    kind: enumLabel(addressKindLabels, row.kind, locale),
    remarks: row.remarks,
  }
  return addressColumns.map((column) => values[column])
}

/** Example rows of the template. */
const examples: Partial<Record<AddressColumn, string>>[] = [
  {
    contactName: 'Siti Nurhaliza',
    phone: '012-345 6789',
    line1: '12, Jalan SS 2/72',
    postcode: '47300',
    city: 'Petaling Jaya',
    state: 'Selangor',
  },
  {
    contactName: '陈伟明',
    company: 'Maju Jaya Sdn Bhd',
    phone: '+60 16-778 8990',
    email: 'weiming@example.com',
    line1: '88, Jalan Burma',
    postcode: '10050',
    city: 'George Town',
    state: 'Pulau Pinang',
  },
]

/** The template as .xlsx in the user's language. All cells are text: a spreadsheet would drop leading zeros. */
export async function addressTemplateFile(reader: Reader): Promise<Readable> {
  const { t, locale } = reader
  const needed: readonly string[] = neededAddressColumns
  const headers = addressColumns.map((column) => buildHeader(reader, column) + (needed.includes(column) ? ' *' : ''))
  const receiver = enumLabel(addressKindLabels, 'receiver', locale)
  const { writeXlsx } = await import('hucre')
  const bytes = await writeXlsx({
    sheets: [
      {
        name: sheetName(t('addressBook.title')),
        columns: addressColumns.map((column) => ({ width: widths[column] ?? 18, numFmt: '@' })),
        rows: [
          headers,
          ...examples.map((example) => {
            const values = { ...example, country: countryName('my', locale), kind: receiver }
            return addressColumns.map((column) => (values as Partial<Record<AddressColumn, string>>)[column] ?? null)
          }),
        ],
        freezePane: { rows: 1 },
      },
    ],
  })
  return Readable.from([Buffer.from(bytes)])
}

/** The rows of an import with problems as .xlsx, each with its problems. Throws not_found for another account's. */
export async function addressProblemFile({ db }: Deps, reader: ImportReader, id: string): Promise<Readable> {
  const row = await requireImport(db, reader.caller, id)
  const rows = inBatches<SheetRow>((last) =>
    listSheetRows(db, row, { state: 'bad', after: last?.row_number ?? 0, limit: batch }),
  )
  async function* cells() {
    for await (const { problems, cells } of rows) {
      const texts = problems.map((problem) => ({
        message: problemText(problem, reader),
        suggestion: suggestionText(problem, reader),
      }))
      yield [problemCell(texts), ...cells]
    }
  }
  return writeXlsx(cells(), {
    name: reader.t('addressBook.title'),
    columns: [{ header: reader.t('bulk.file.problem'), kind: 'text' as const, width: 60 }, ...sheetColumns(reader)],
  })
}
