/** The address book as a spreadsheet: import, export and template. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { id, idParams, instant, integer, ok, version } from '../ground/fields.ts'
import { listQuery, page } from '../ground/paging.ts'
import { bookFilter } from './addresses.ts'

/** The columns of the template, in order. The cells of a row have this order everywhere. */
export const addressColumns = [
  'contactName',
  'company',
  'phone',
  'email',
  'line1',
  'line2',
  'postcode',
  'city',
  'state',
  'country',
  'label',
  'kind',
  'remarks',
] as const
export type AddressColumn = (typeof addressColumns)[number]

/** Required columns. If one is missing in a file, its user has to map the columns first. */
export const neededAddressColumns = ['contactName', 'phone', 'line1', 'postcode'] as const satisfies AddressColumn[]

/** Limits of one file: bytes as uploaded, rows below the header, and characters of one cell. */
export const addressImportLimits = { bytes: 10_485_760, rows: 10_000, cell: 500 } as const

const column = z.enum(addressColumns)

/**
 * `hidden`: good, but the spreadsheet does not show it; `duplicate`: like an address of the book or an earlier row;
 * `contradiction`: city or state contradict the postcode. These can be imported if the user confirms. `bad`: breaks a
 * rule; `imported`: it is in the address book.
 */
export const importRowStates = ['good', 'hidden', 'duplicate', 'contradiction', 'bad', 'imported'] as const

/** The states of rows that can be imported. */
export const importableStates = ['good', 'hidden', 'duplicate', 'contradiction'] as const

export const addressImportRow = z.object({
  /** The row number in the spreadsheet. */
  row: z.number(),
  cells: z.array(z.string()),
  state: z.enum(importRowStates),
  problems: z.array(
    z.object({
      column: z.nullable(column),
      /** The cell of the spreadsheet, such as `D12`. Null: the whole row, or a column that is missing in the file. */
      cell: z.nullable(z.string()),
      code: z.string(),
      message: z.string(),
      /** What the cell probably means. */
      suggestion: z.nullable(z.string()),
    }),
  ),
  addressId: z.nullable(id),
})
export type AddressImportRow = z.output<typeof addressImportRow>

/**
 * `reading`: a job reads the file; `columns`: the user has to map the columns; `ready`: the rows can be imported;
 * `saving`: a job writes them into the address book; `failed`: the file cannot be read, see `fault`.
 */
export const importStatuses = ['reading', 'columns', 'ready', 'saving', 'failed'] as const

export const addressImport = z.object({
  id,
  version,
  name: z.nullable(z.string()),
  status: z.enum(importStatuses),
  fault: z.nullable(z.object({ code: z.string(), message: z.string() })),
  headers: z.array(z.string()),
  mapping: z.array(z.nullable(column)),
  /** Required columns that are missing. */
  missing: z.array(column),
  counts: z.object({
    read: z.number(),
    good: z.number(),
    hidden: z.number(),
    duplicate: z.number(),
    contradiction: z.number(),
    bad: z.number(),
    imported: z.number(),
    /** Rows that the job has still to write. */
    waiting: z.number(),
  }),
  createdAt: instant,
})
export type AddressImport = z.output<typeof addressImport>

const path = '/api/customer/address/imports'
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export const createAddressImport = endpoint({
  id: 'addressImports.create',
  method: 'POST',
  path,
  access: 'addresses',
  idempotent: true,
  bodyBytes: addressImportLimits.bytes,
  summary: 'Addresses from an .xlsx or .csv (multipart, field `file`); read in the background, stored by `save` alone',
  upload: z.object({}),
  response: addressImport,
})

export const listAddressImports = endpoint({
  id: 'addressImports.list',
  method: 'GET',
  path,
  access: 'addresses',
  summary: 'Imports, newest first',
  query: listQuery(['createdAt']),
  response: page(addressImport),
})

export const addressTemplate = endpoint({
  id: 'addressImports.template',
  method: 'GET',
  path: `${path}/template`,
  access: 'addresses',
  summary: 'An .xlsx to fill in, with examples and headers in the language of the caller',
  media: xlsx,
})

export const getAddressImport = endpoint({
  id: 'addressImports.get',
  method: 'GET',
  path: `${path}/:id`,
  access: 'addresses',
  summary: 'An import with a page of its rows and their problems by cell',
  params: idParams,
  query: z.extend(listQuery(['row']), { only: z.optional(z.enum(importRowStates)) }),
  response: z.object({
    import: addressImport,
    items: z.array(addressImportRow),
    total: z.number(),
    offset: z.number(),
    limit: z.number(),
  }),
})

export const addressProblemFile = endpoint({
  id: 'addressImports.problemFile',
  method: 'GET',
  path: `${path}/:id/problems`,
  access: 'addresses',
  summary: 'The rows with problems as .xlsx with a column of problems, to correct and upload again',
  params: idParams,
  media: xlsx,
})

export const mapAddressImport = endpoint({
  id: 'addressImports.columns',
  method: 'POST',
  path: `${path}/:id/columns`,
  access: 'addresses',
  summary: 'Maps the columns of the file to fields, one entry per column; the file is then read',
  params: idParams,
  body: z.object({
    version,
    mapping: z.array(z.nullable(column)).check(z.minLength(1), z.maxLength(200)),
    /** The file has no headers: its first row is an address. */
    noHeader: z.optional(z.boolean()),
  }),
  response: addressImport,
})

export const saveAddressImport = endpoint({
  id: 'addressImports.save',
  method: 'POST',
  path: `${path}/:id/save`,
  access: 'addresses',
  bodyBytes: addressImportLimits.bytes,
  summary: 'Saves the rows of these states, or selected ones, in the address book, in the background',
  params: idParams,
  body: z.object({
    version,
    states: z._default(z.array(z.enum(importableStates)).check(z.minLength(1), z.maxLength(importableStates.length)), [
      'good',
    ]),
    rows: z.optional(z.array(integer(1, 2_000_000)).check(z.minLength(1), z.maxLength(addressImportLimits.rows))),
  }),
  response: addressImport,
})

export const removeAddressImport = endpoint({
  id: 'addressImports.remove',
  method: 'DELETE',
  path: `${path}/:id`,
  access: 'addresses',
  summary: 'Deletes an import; addresses that it saved stay in the address book',
  params: idParams,
  response: ok,
})

export const exportAddresses = endpoint({
  id: 'addresses.export',
  method: 'GET',
  path: '/api/customer/address/export',
  access: 'addresses.view',
  summary: 'The address book as .xlsx, with the filters of the list; it can be imported again',
  query: z.object(bookFilter),
  media: xlsx,
})
