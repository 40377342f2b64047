/** The kinds of records that are exported and imported, with their calls. */
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { getRateCard, listRateCards } from '@waybill/contract/pricing/rate-cards'
import {
  applyRateImport,
  exportRateLines,
  getRateImport,
  rateProblemFile,
  uploadRateLines,
} from '@waybill/contract/pricing/rate-sheets'
import type {
  SheetApply,
  SheetImport,
  SheetPreview,
  SheetProblems,
} from '@waybill/contract/sheet-imports/sheet-imports'
import { listManagedStations } from '@waybill/contract/stations/manage'
import {
  applyCoverageImport,
  applyStationImport,
  applyZoneImport,
  coverageProblemFile,
  exportCoverage,
  exportStations,
  exportZoneSheet,
  getCoverageImport,
  getStationImport,
  getZoneImport,
  stationProblemFile,
  uploadCoverage,
  uploadStations,
  uploadZoneSheet,
  zoneProblemFile,
} from '@waybill/contract/stations/sheets'
import { publicStations } from '@waybill/contract/stations/stations'
import { listZones } from '@waybill/contract/stations/zones'
import { callWithForm } from '../../lib/api.ts'
import { saveDocument } from '../../lib/download.ts'

export const sheetKinds = ['stations', 'coverage', 'zones', 'rate-lines'] as const
export type SheetKind = (typeof sheetKinds)[number]

type Format = { format: 'xlsx' | 'csv'; template?: 'true' }
type UploadOptions = { form: FormData; onProgress: (fraction: number) => void }

type Calls = {
  /** Kinds on the same page, as tabs. */
  together: readonly SheetKind[]
  rows: number
  /** `card` is the id of a rate card's version, for its lines. */
  save: (query: Format, card: string) => Promise<void>
  upload: (options: UploadOptions, card: string) => Promise<SheetImport>
  preview: SheetPreview
  problems: SheetProblems
  apply: SheetApply
  /** The queries that an import invalidates. */
  refresh: EndpointShape[]
}

export const sheetCalls: Record<SheetKind, Calls> = {
  stations: {
    together: ['stations', 'coverage'],
    rows: 10_000,
    save: (query) => saveDocument(exportStations, { query }),
    upload: (options) => callWithForm(uploadStations, options),
    preview: getStationImport,
    problems: stationProblemFile,
    apply: applyStationImport,
    refresh: [listManagedStations, publicStations],
  },
  coverage: {
    together: ['stations', 'coverage'],
    rows: 30_000,
    save: (query) => saveDocument(exportCoverage, { query }),
    upload: (options) => callWithForm(uploadCoverage, options),
    preview: getCoverageImport,
    problems: coverageProblemFile,
    apply: applyCoverageImport,
    refresh: [listManagedStations],
  },
  zones: {
    together: ['zones'],
    rows: 20_000,
    save: (query) => saveDocument(exportZoneSheet, { query }),
    upload: (options) => callWithForm(uploadZoneSheet, options),
    preview: getZoneImport,
    problems: zoneProblemFile,
    apply: applyZoneImport,
    refresh: [listZones],
  },
  'rate-lines': {
    together: ['rate-lines'],
    rows: 5000,
    save: (query, cardId) => saveDocument(exportRateLines, { query: { ...query, cardId } }),
    upload({ form, onProgress }, cardId) {
      form.set('cardId', cardId)
      return callWithForm(uploadRateLines, { form, onProgress })
    },
    preview: getRateImport,
    problems: rateProblemFile,
    apply: applyRateImport,
    refresh: [listRateCards, getRateCard],
  },
}
