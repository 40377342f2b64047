// Downloads: the template to fill in, and the bad rows of a batch with their problems.
import { Readable } from 'node:stream'
import { contentTypeLabels, customsReasonLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel, labelValues } from '@waybill/contract/ground/enums/labels'
import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { type BulkField, bulkFields, bulkItems, neededBulkFields } from '@waybill/contract/parcels/bulk'
import type { Deps } from '../../../deps.ts'
import { columnLetter } from '../../../lib/sheet/headers.ts'
import { type SheetColumn, sheetName, writeXlsx } from '../../../lib/sheet/write.ts'
import { problemCell } from '../../sheet-imports/describe-problems.ts'
import { bulkExamples } from './examples.ts'
import type { BatchRow } from './queries-batches.ts'
import { bulkRows } from './queries-rows.ts'
import { getBatch, problemText, type Reader, suggestionText } from './service.ts'

const widths: Partial<Record<BulkField, number>> = {
  line1: 36,
  line2: 26,
  receiverName: 24,
  email: 26,
  contentDescription: 26,
  postcode: 10,
  weight: 12,
  length: 12,
  width: 12,
  height: 12,
}

/** A column's header in the reader's language, with its unit, and a star if the column is required. */
function buildHeader(deps: Deps, { t }: Reader, field: BulkField): string {
  const { settings } = deps
  const units: Partial<Record<BulkField, string>> = {
    weight: settings.get('units.weight'),
    ...Object.fromEntries(bulkItems.map((item) => [`item${item}Weight`, settings.get('units.weight')])),
    ...Object.fromEntries(
      (['length', 'width', 'height'] as const).map((side) => [side, settings.get('units.dimension')]),
    ),
    ...Object.fromEntries(
      (
        [
          'declaredValue',
          'insuredValue',
          'codAmount',
          ...bulkItems.map((item) => `item${item}UnitValue` as const),
        ] as const
      ).map((name) => [name, settings.get('currency')]),
    ),
  }
  const needed = (neededBulkFields as readonly BulkField[]).includes(field) ? ' *' : ''
  const name = t(`bulk.column.${field}`)
  return (units[field] ? t('phrase.detail', { text: name, detail: units[field] }) : name) + needed
}

/** The second and third customs item share the notes of the first. */
const toNoteKey = (field: BulkField) => field.replace(/^item[23]/, 'item1')

/**
 * The template as .xlsx in the reader's language, with examples, notes and drop-downs for choices. Columns with
 * leading zeros (phone, postcode) have the text format, because a spreadsheet would drop them.
 */
export async function templateFile(deps: Deps, reader: Reader): Promise<Readable> {
  const { t, locale } = reader
  const choices: Partial<Record<BulkField, string[]>> = {
    serviceType: labelValues(serviceTypeLabels).map((value) => enumLabel(serviceTypeLabels, value, locale)),
    deliveryMode: labelValues(deliveryModeLabels).map((value) => enumLabel(deliveryModeLabels, value, locale)),
    contentType: labelValues(contentTypeLabels).map((value) => enumLabel(contentTypeLabels, value, locale)),
    customsReason: labelValues(customsReasonLabels).map((value) => enumLabel(customsReasonLabels, value, locale)),
  }
  const fields: BulkField[] = bulkFields.filter((field) => field !== 'scope')
  const asText = new Set<BulkField>([
    'phone',
    'postcode',
    'reference',
    ...bulkItems.map((item) => `item${item}HsCode` as const),
  ])
  const listSheet = sheetName(t('bulk.file.choices'))
  const lists = (Object.keys(choices) as BulkField[]).map((field) => choices[field] ?? [])
  const longest = Math.max(...lists.map((list) => list.length))
  const { writeXlsx } = await import('hucre')
  const bytes = await writeXlsx({
    sheets: [
      {
        name: sheetName(t('bulk.file.parcels')),
        columns: fields.map((field) => ({
          width: widths[field] ?? 18,
          ...(asText.has(field) ? { numFmt: '@' } : {}),
        })),
        rows: [
          fields.map((field) => buildHeader(deps, reader, field)),
          ...bulkExamples(locale).map((example) => fields.map((field) => example[field] ?? null)),
        ],
        cells: new Map(
          fields.map((field, n) => [
            `0,${n}`,
            {
              style: {
                font: { bold: true },
                fill: { type: 'pattern' as const, pattern: 'solid' as const, fgColor: { rgb: 'FFF1F3F5' } },
              },
              value: buildHeader(deps, reader, field),
            },
          ]),
        ),
        freezePane: { rows: 1 },
        dataValidations: (Object.keys(choices) as BulkField[]).map((field, n) => ({
          type: 'list' as const,
          // A range, because labels may contain commas.
          formula1: `'${listSheet}'!$${columnLetter(n)}$1:$${columnLetter(n)}$${choices[field]?.length ?? 1}`,
          allowBlank: true,
          showErrorMessage: true,
          errorStyle: 'warning' as const,
          errorTitle: t(`bulk.column.${field}`),
          errorMessage: t('bulk.file.choose'),
          range: `${columnLetter(fields.indexOf(field))}2:${columnLetter(fields.indexOf(field))}10001`,
        })),
      },
      {
        name: sheetName(t('bulk.file.notes')),
        columns: [{ width: 26 }, { width: 90 }],
        rows: fields.map((field) => [t(`bulk.column.${field}`), t(`bulk.note.${toNoteKey(field)}`)]),
      },
      {
        name: listSheet,
        columns: lists.map(() => ({ width: 30 })),
        rows: Array.from({ length: longest }, (_, n) => lists.map((list) => list[n] ?? null)),
      },
    ],
  })
  return Readable.from([Buffer.from(bytes)])
}

/** The bad rows of a batch as .xlsx, each with its problems. The template's headers let the file be uploaded again. */
export async function problemFile(deps: Deps, reader: Reader, id: string): Promise<Readable> {
  const batch = await getBatch(deps.db, reader.caller, id)
  const columns: SheetColumn[] = [
    { header: reader.t('bulk.file.problem'), kind: 'text', width: 60 },
    ...bulkFields.map(
      (field): SheetColumn => ({ header: buildHeader(deps, reader, field), kind: 'text', width: widths[field] ?? 18 }),
    ),
  ]
  return writeXlsx(badRows(deps, batch, reader), { name: reader.t('bulk.file.parcels'), columns })
}

async function* badRows(deps: Deps, batch: BatchRow, reader: Reader) {
  let after = 0
  for (;;) {
    const rows = await bulkRows(deps.db, batch, { state: 'bad', after, limit: 500 })
    for (const { problems, cells } of rows) {
      const texts = (problems ?? []).map((problem) => ({
        message: problemText(problem, reader),
        suggestion: suggestionText(problem, reader.locale),
      }))
      yield [problemCell(texts), ...cells]
    }
    const last = rows.at(-1)
    if (!last) return
    after = last.row_number
  }
}
