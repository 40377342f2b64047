/** Routes of the spreadsheets of stations, coverage and zones. */
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
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { serveKind } from '../../sheet-imports/serve-kind.ts'
import { coverageKind } from './coverage-kind.ts'
import { stationKind } from './station-kind.ts'
import { zoneKind } from './zone-kind.ts'

export function stationSheetRoutes(app: FastifyInstance, deps: Deps): void {
  const stations = { export: exportStations, upload: uploadStations, preview: getStationImport }
  serveKind(app, deps, { ...stations, problems: stationProblemFile, apply: applyStationImport }, stationKind)
  const coverage = { export: exportCoverage, upload: uploadCoverage, preview: getCoverageImport }
  serveKind(app, deps, { ...coverage, problems: coverageProblemFile, apply: applyCoverageImport }, coverageKind)
  const zones = { export: exportZoneSheet, upload: uploadZoneSheet, preview: getZoneImport }
  serveKind(app, deps, { ...zones, problems: zoneProblemFile, apply: applyZoneImport }, zoneKind)
}
