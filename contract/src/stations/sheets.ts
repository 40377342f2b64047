/** Stations, coverage and zones as spreadsheets. */
import { sheetApply, sheetExport, sheetPreview, sheetProblems, sheetUpload } from '../sheet-imports/sheet-imports.ts'

const stations = {
  id: 'stationSheet',
  path: 'stations',
  access: 'staff.stations',
  name: 'Stations without their coverage',
  fields: {},
} as const
export const exportStations = sheetExport(stations)
export const uploadStations = sheetUpload(stations)
export const getStationImport = sheetPreview(stations)
export const stationProblemFile = sheetProblems(stations)
export const applyStationImport = sheetApply(stations)

const coverage = {
  id: 'coverageSheet',
  path: 'coverage',
  access: 'staff.stations',
  name: 'Ranges of postcodes by station; a file has all ranges of each station that it names',
  fields: {},
} as const
export const exportCoverage = sheetExport(coverage)
export const uploadCoverage = sheetUpload(coverage)
export const getCoverageImport = sheetPreview(coverage)
export const coverageProblemFile = sheetProblems(coverage)
export const applyCoverageImport = sheetApply(coverage)

const zones = {
  id: 'zoneSheet',
  path: 'zones',
  access: 'staff.rates',
  name: 'Zones, one row for each area; a file has all areas of each zone that it names',
  fields: {},
} as const
export const exportZoneSheet = sheetExport(zones)
export const uploadZoneSheet = sheetUpload(zones)
export const getZoneImport = sheetPreview(zones)
export const zoneProblemFile = sheetProblems(zones)
export const applyZoneImport = sheetApply(zones)
