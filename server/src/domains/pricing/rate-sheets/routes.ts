/** Routes of the spreadsheet of rate lines. */
import {
  applyRateImport,
  exportRateLines,
  getRateImport,
  rateProblemFile,
  uploadRateLines,
} from '@waybill/contract/pricing/rate-sheets'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { serveKind } from '../../sheet-imports/serve-kind.ts'
import { rateKind } from './rate-kind.ts'

export function rateSheetRoutes(app: FastifyInstance, deps: Deps): void {
  const calls = { export: exportRateLines, upload: uploadRateLines, preview: getRateImport }
  serveKind(app, deps, { ...calls, problems: rateProblemFile, apply: applyRateImport }, rateKind)
}
