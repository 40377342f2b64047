/** The routes of a kind of records. */
import {
  type SheetApply,
  type SheetPreview,
  type SheetProblems,
  type sheetExport,
  sheetFileBytes,
  type sheetUpload,
} from '@waybill/contract/sheet-imports/sheet-imports'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { type AnyCaller, staff } from '../../http/caller.ts'
import { type Call, route } from '../../http/route.ts'
import { readUpload } from '../../http/uploads.ts'
import { contentDisposition, sheetMediaTypes } from '../../lib/sheet/write.ts'
import { exportSheet, problemSheet } from './export.ts'
import type { RecordKind } from './kind.ts'
import type { Reader } from './present.ts'
import { applySheet, readImport, uploadSheet, withSubject } from './service.ts'

type NoFields = Record<never, never>
type SheetCalls = {
  export: ReturnType<typeof sheetExport<NoFields>>
  upload: ReturnType<typeof sheetUpload<NoFields>>
  preview: SheetPreview
  problems: SheetProblems
  apply: SheetApply
}

/** Registers the calls of a kind. */
export function serveKind<C extends object>(
  app: FastifyInstance,
  deps: Deps,
  calls: SheetCalls,
  kind: RecordKind<C>,
): void {
  const buildReader = async (
    { caller, t, locale }: { caller: AnyCaller } & Pick<Call<SheetPreview>, 't' | 'locale'>,
    fields: object & { cardId?: string } = {},
  ): Promise<Reader> => {
    const { settings } = deps
    const context = {
      deps,
      caller: staff(caller),
      subjectId: null,
      home: settings.get('countryCode'),
      currency: settings.get('currency'),
    }
    return withSubject(deps.db, kind, { context, t, locale }, fields.cardId ?? null)
  }
  route(app, deps, calls.export, async (call) => {
    const { format, template } = call.query
    const name = `${kind.name}${template === 'true' ? '-template' : ''}.${format}`
    const reader = await buildReader(call, call.query as object)
    call.reply.type(sheetMediaTypes[format]).header('content-disposition', contentDisposition(name))
    return exportSheet(kind, reader, { format, template: template === 'true' })
  })
  route(app, deps, calls.upload, async (call) => {
    const { file, fields } = await readUpload(deps, call.request, calls.upload, sheetFileBytes)
    return uploadSheet(kind, await buildReader(call, fields as object), file)
  })
  route(app, deps, calls.preview, async (call) => readImport(kind, await buildReader(call), call.params.id, call.query))
  route(app, deps, calls.problems, async (call) => {
    const file = await problemSheet(kind, await buildReader(call), call.params.id)
    call.reply.header('content-disposition', contentDisposition(`${kind.name}-to-correct.xlsx`))
    return file
  })
  route(app, deps, calls.apply, async (call) => applySheet(kind, await buildReader(call), call.params.id, call.body))
}
