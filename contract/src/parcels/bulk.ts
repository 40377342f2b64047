/** Spreadsheets of parcels: upload, the grid of rows, corrections, and the move to the cart. */
import * as z from 'zod/mini'
import { party } from '../addresses/addresses.ts'
import { endpoint } from '../ground/endpoint.ts'
import { id, idParams, instant, integer, ok, version } from '../ground/fields.ts'
import { listQuery } from '../ground/paging.ts'
import { contradictionFields } from './parcels.ts'

/** The maximum number of customs items in one row; a parcel with more must be created under New parcel. */
export const bulkItems = [1, 2, 3] as const
/** The columns of each item: `item1Description`, … */
const itemParts = ['Description', 'HsCode', 'Quantity', 'UnitValue', 'Origin', 'Weight'] as const
type ItemField = `item${(typeof bulkItems)[number]}${(typeof itemParts)[number]}`
const itemFields = bulkItems.flatMap((item) => itemParts.map((part): ItemField => `item${item}${part}`))

/** The columns of the template, in order. The cells of a row have this order everywhere. */
export const bulkFields = [
  'reference',
  'receiverName',
  'company',
  'phone',
  'email',
  'line1',
  'line2',
  'postcode',
  'city',
  'state',
  'country',
  'serviceType',
  'deliveryMode',
  'collectionStation',
  'contentType',
  'contentDescription',
  'weight',
  'length',
  'width',
  'height',
  'declaredValue',
  'insuredValue',
  'codAmount',
  'scope',
  'remarks',
  /** A sender other than the batch's, by the label of its address in the address book. */
  'senderLabel',
  'customsReason',
  ...itemFields,
] as const
export type BulkField = (typeof bulkFields)[number]

/** Required columns. If one is missing in a file, the sender has to map the columns before the file is read. */
export const neededBulkFields = ['receiverName', 'phone', 'line1', 'postcode', 'weight'] as const satisfies BulkField[]

/** Limits of one file: bytes as uploaded, rows below the header, and characters of one cell. */
export const bulkLimits = { bytes: 10_485_760, rows: 10_000, cell: 2_000 } as const

const field = z.enum(bulkFields)

/** A problem of a cell, or of the whole row (`column` null). One that is not `blocking` is only a warning. */
export const bulkProblem = z.object({
  row: z.number(),
  column: z.nullable(field),
  code: z.string(),
  message: z.string(),
  /** A replacement for the cell, applied with one click. */
  suggestion: z.nullable(z.string()),
  blocking: z.boolean(),
})
export type BulkProblem = z.output<typeof bulkProblem>

/** `carted`: the row has become a parcel in the cart and can no longer be edited here. */
export const bulkRowStates = ['good', 'bad', 'carted'] as const

export const bulkRow = z.object({
  /** The row number in the spreadsheet, where row 1 is the header. */
  row: z.number(),
  version,
  cells: z.array(z.string()),
  state: z.enum(bulkRowStates),
  problems: z.array(bulkProblem),
  /** The sender has confirmed that an identical parcel is intended. */
  overrideDuplicate: z.boolean(),
  /** Contradictions in the addresses that the sender has overridden. */
  overrides: z.array(z.enum(contradictionFields)),
  priceMinor: z.nullable(z.number()),
  parcelId: z.nullable(id),
})
export type BulkRow = z.output<typeof bulkRow>

/**
 * `reading`: a job is reading it; `columns`: the sender has to map the columns; `failed`: it cannot be read, see
 * `fault`.
 */
export const bulkStatuses = ['reading', 'columns', 'ready', 'failed'] as const

export const bulkBatch = z.object({
  id,
  version,
  name: z.nullable(z.string()),
  status: z.enum(bulkStatuses),
  fault: z.nullable(z.object({ code: z.string(), message: z.string() })),
  /** The first row that looks like a header, and the column that each cell was matched to. */
  headers: z.array(z.string()),
  mapping: z.array(z.nullable(field)),
  /** The first filled cells of each column, while the sender has to map the columns. */
  samples: z.array(z.array(z.string())),
  /** Required columns that are missing. */
  missing: z.array(field),
  counts: z.object({ read: z.number(), total: z.number(), good: z.number(), bad: z.number(), carted: z.number() }),
  /** The sum of the valid rows. */
  totalMinor: z.number(),
  currency: z.string(),
  /**
   * Problems that several rows share or that have a fix, most frequent first. `suggested` counts those with a
   * suggestion, which can be applied to all rows at once.
   */
  common: z.array(
    z.object({
      code: z.string(),
      column: z.nullable(field),
      count: z.number(),
      suggested: z.number(),
      message: z.string(),
    }),
  ),
  sender: z.nullable(party),
  /** The same file was uploaded before. */
  sameFile: z.nullable(z.object({ id, createdAt: instant })),
  createdBy: id,
  createdAt: instant,
})
export type BulkBatch = z.output<typeof bulkBatch>

const base = '/api/customer/parcels'
const cell = z.string().check(z.maxLength(bulkLimits.cell))
const cells = z.partialRecord(field, cell)
const senderAddressId = z.optional(id)
const name = z.optional(z.string().check(z.trim(), z.maxLength(200)))

export const createBulk = endpoint({
  id: 'bulk.create',
  method: 'POST',
  path: `${base}/bulk`,
  access: 'parcels.create',
  idempotent: true,
  bodyBytes: bulkLimits.bytes,
  summary:
    'Many parcels from an .xlsx or .csv (multipart, field `file`), from pasted cells, or from JSON rows by ' +
    'field; answers the batch, which is read in the background',
  upload: z.object({ senderAddressId }),
  body: z.object({
    name,
    senderAddressId,
    rows: z.optional(z.array(cells).check(z.minLength(1), z.maxLength(bulkLimits.rows))),
    /** As copied from a spreadsheet; the first row has the headers. */
    cells: z.optional(
      z.array(z.array(cell).check(z.maxLength(200))).check(z.minLength(1), z.maxLength(bulkLimits.rows + 1)),
    ),
  }),
  response: bulkBatch,
})

export const listBulk = endpoint({
  id: 'bulk.list',
  method: 'GET',
  path: `${base}/bulk`,
  access: 'parcels.create',
  summary: 'Batches, newest first',
  query: listQuery(['createdAt']),
  response: z.object({ items: z.array(bulkBatch), total: z.number(), offset: z.number(), limit: z.number() }),
})

export const bulkTemplate = endpoint({
  id: 'bulk.template',
  method: 'GET',
  path: `${base}/bulk/template`,
  access: 'parcels.create',
  summary: 'An .xlsx to fill in: drop-downs, examples and notes, headers in the language of the caller',
  media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
})

export const getBulk = endpoint({
  id: 'bulk.get',
  method: 'GET',
  path: `${base}/bulk/:id`,
  access: 'parcels.create',
  summary: "A batch with a page of its rows and every row's problems by cell; `only=bad` leaves out the good ones",
  params: idParams,
  query: z.extend(listQuery(['row']), {
    only: z.optional(z.enum(bulkRowStates)),
    /** Only these row numbers, comma separated. */
    rows: z.optional(z.string().check(z.regex(/^\d{1,7}(,\d{1,7}){0,199}$/))),
  }),
  response: z.object({
    batch: bulkBatch,
    items: z.array(bulkRow),
    total: z.number(),
    offset: z.number(),
    limit: z.number(),
  }),
})

export const bulkProblemFile = endpoint({
  id: 'bulk.problemFile',
  method: 'GET',
  path: `${base}/bulk/:id/problems`,
  access: 'parcels.create',
  summary: 'The invalid rows as .xlsx with a column of problems, to correct and upload again',
  params: idParams,
  media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
})

export const mapBulk = endpoint({
  id: 'bulk.columns',
  method: 'POST',
  path: `${base}/bulk/columns`,
  access: 'parcels.create',
  summary: 'Maps the columns of a file to fields, one entry per column; the file is then read',
  body: z.object({
    id,
    version,
    mapping: z.array(z.nullable(field)).check(z.minLength(1), z.maxLength(200)),
    /** The file has no headers: its first row is a parcel. */
    noHeader: z.optional(z.boolean()),
  }),
  response: bulkBatch,
})

const rowNumber = integer(1, 2_000_000)

export const editBulk = endpoint({
  id: 'bulk.edit',
  method: 'PUT',
  path: `${base}/bulk-multiple`,
  access: 'parcels.create',
  bodyBytes: bulkLimits.bytes,
  summary:
    'Edits cells of many rows, checked and priced anew: all or none, a stale version of a row answers 409. `fix` ' +
    'takes a suggestion everywhere, `fill` fills what is missing, `leaveOutTotals` removes lines of totals, ' +
    '`leaveOutHidden` those that the spreadsheet hides, `overrideDuplicates` lets duplicates through',
  body: z.object({
    id,
    edits: z._default(
      z
        .array(
          z.object({
            row: rowNumber,
            version,
            cells: z.optional(cells),
            overrideDuplicate: z.optional(z.boolean()),
            /** Contradictions that the sender overrides; each is recorded with the parcel. */
            override: z.optional(z.array(z.enum(contradictionFields)).check(z.maxLength(4))),
            remove: z.optional(z.boolean()),
          }),
        )
        .check(z.maxLength(2_000)),
      [],
    ),
    /** New rows, appended at the end. */
    add: z.optional(z.array(cells).check(z.minLength(1), z.maxLength(500))),
    /** Applies the suggestion to every row that has this problem in this column. */
    fix: z.optional(z.object({ code: z.string().check(z.maxLength(60)), column: field })),
    /** Fills these cells in every row in which one of them is missing; filled cells are not changed. */
    fill: z.optional(cells),
    /** Removes every row that looks like a line of totals. */
    leaveOutTotals: z.optional(z.boolean()),
    /** Removes every row that the spreadsheet does not show. */
    leaveOutHidden: z.optional(z.boolean()),
    /** Confirms every row that is identical to an existing parcel. */
    overrideDuplicates: z.optional(z.boolean()),
    /** Changes the sender; every row is priced again. */
    senderAddressId,
  }),
  response: z.object({
    batch: bulkBatch,
    /** The edited rows after the change, and the new ones. */
    items: z.array(bulkRow),
    /** The previous values of the changed cells, for undo. */
    before: z.array(z.object({ row: z.number(), cells: z.partialRecord(field, z.string()) })),
  }),
})

export const cartBulk = endpoint({
  id: 'bulk.cart',
  method: 'POST',
  path: `${base}/bulk/cart`,
  access: 'parcels.create',
  summary: 'Adds the valid rows, or selected ones, to the cart as priced parcels; invalid rows stay',
  body: z.object({
    id,
    rows: z.optional(z.array(rowNumber).check(z.minLength(1), z.maxLength(bulkLimits.rows))),
  }),
  response: z.object({ batch: bulkBatch, added: z.number() }),
})

export const clearBulk = endpoint({
  id: 'bulk.clear',
  method: 'POST',
  path: `${base}/bulk/clear`,
  access: 'parcels.create',
  summary: 'Deletes the rows of a batch that are not in the cart; parcels stay',
  body: z.object({ id }),
  response: ok,
})
