/** The courier's own records as spreadsheets: export, and import with a preview. Each kind has these five calls. */
import * as z from 'zod/mini'
import type { AccessRule } from '../ground/access.ts'
import { endpoint } from '../ground/endpoint.ts'
import { id, idParams, instant, version } from '../ground/fields.ts'
import { listQuery, sheetMedia } from '../ground/paging.ts'

/** The maximum size of an uploaded file in bytes. The maximum number of rows depends on the kind. */
export const sheetFileBytes = 10_485_760

/**
 * `removed`: a record that the import deletes, because the file contains its owner but not the record itself. Every
 * other state belongs to a row of the file.
 */
export const sheetRowStates = ['new', 'changed', 'unchanged', 'removed', 'faulty'] as const
export type SheetRowState = (typeof sheetRowStates)[number]

const sheetImport = z.object({
  id,
  /** Raised when the preview is recomputed. */
  version,
  /** The name of the file. */
  name: z.nullable(z.string()),
  columns: z.array(z.object({ key: z.string(), header: z.string() })),
  counts: z.object({
    new: z.number(),
    changed: z.number(),
    unchanged: z.number(),
    removed: z.number(),
    faulty: z.number(),
  }),
  /** Rows that the spreadsheet does not show. They are part of the import: without them, records would be removed. */
  hiddenRows: z.number(),
  applied: z.boolean(),
  /** The draft that rate lines were written to; null before that, and for other kinds. */
  resultId: z.nullable(id),
  createdAt: instant,
})
export type SheetImport = z.output<typeof sheetImport>

const sheetProblem = z.object({
  column: z.nullable(z.string()),
  /** The cell of the spreadsheet, such as `D17`; null for a column that is missing in the file. */
  cell: z.nullable(z.string()),
  code: z.string(),
  /** With the row and the header of the column: `Row 17, column “From postcode”: …`. */
  message: z.string(),
  suggestion: z.nullable(z.string()),
})

const sheetImportRow = z.object({
  /** The row number in the spreadsheet; null for a removed record. */
  row: z.nullable(z.number()),
  state: z.enum(sheetRowStates),
  /** One text for each column. */
  cells: z.array(z.string()),
  problems: z.array(sheetProblem),
  /** The differences of a changed row. */
  changes: z.array(z.object({ column: z.string(), before: z.string(), after: z.string() })),
})
export type SheetImportRow = z.output<typeof sheetImportRow>

const sheetImportPage = z.object({
  import: sheetImport,
  items: z.array(sheetImportRow),
  total: z.number(),
  offset: z.number(),
  limit: z.number(),
})

type Kind<F extends Fields> = {
  /** The first part of the endpoints' ids. */
  id: string
  /** The last part of their path. */
  path: string
  access: AccessRule
  /** The name of the records, for the OpenAPI page. */
  name: string
  /** Additional fields that both the export and the upload need. */
  fields: F
}
type Fields = Record<string, z.ZodMiniType>

const path = (kind: Kind<Fields>) => `/api/staff/sheets/${kind.path}`

/* @__NO_SIDE_EFFECTS__ */
export function sheetExport<F extends Fields>(kind: Kind<F>) {
  return endpoint({
    id: `${kind.id}.export`,
    method: 'GET',
    path: path(kind),
    access: kind.access,
    summary: `${kind.name} as .xlsx or .csv, which can be imported again; \`template\` answers examples instead`,
    query: z.object({
      ...kind.fields,
      format: z._default(z.enum(['xlsx', 'csv']), 'xlsx' as const),
      template: z.optional(z.literal('true')),
    }),
    media: sheetMedia,
  })
}

/* @__NO_SIDE_EFFECTS__ */
export function sheetUpload<F extends Fields>(kind: Kind<F>) {
  return endpoint({
    id: `${kind.id}.upload`,
    method: 'POST',
    path: `${path(kind)}/imports`,
    access: kind.access,
    bodyBytes: sheetFileBytes,
    summary: `${kind.name} from an .xlsx or .csv (multipart, field \`file\`): a preview, nothing is changed yet`,
    upload: z.object(kind.fields),
    response: sheetImport,
  })
}

/* @__NO_SIDE_EFFECTS__ */
export function sheetPreview(kind: Kind<Fields>) {
  return endpoint({
    id: `${kind.id}.import`,
    method: 'GET',
    path: `${path(kind)}/imports/:id`,
    access: kind.access,
    summary: `${kind.name}: an import of the caller with a page of its rows and their problems by cell`,
    params: idParams,
    query: z.extend(listQuery(['row']), { only: z.optional(z.enum(sheetRowStates)) }),
    response: sheetImportPage,
  })
}

/* @__NO_SIDE_EFFECTS__ */
export function sheetProblems(kind: Kind<Fields>) {
  return endpoint({
    id: `${kind.id}.problemFile`,
    method: 'GET',
    path: `${path(kind)}/imports/:id/problems`,
    access: kind.access,
    summary: `${kind.name}: the rows of an import with problems as .xlsx with a column of problems, to correct`,
    params: idParams,
    media: sheetMedia,
  })
}

/* @__NO_SIDE_EFFECTS__ */
export function sheetApply(kind: Kind<Fields>) {
  return endpoint({
    id: `${kind.id}.apply`,
    method: 'POST',
    path: `${path(kind)}/imports/:id/apply`,
    access: kind.access,
    summary:
      `${kind.name}: applies every row or none; refused for faulty rows, ` +
      'and with a new preview where the records have changed since',
    params: idParams,
    body: z.object({ version }),
    response: sheetImport,
  })
}

/** The calls of a kind without additional fields. */
export type SheetPreview = ReturnType<typeof sheetPreview>
export type SheetProblems = ReturnType<typeof sheetProblems>
export type SheetApply = ReturnType<typeof sheetApply>
