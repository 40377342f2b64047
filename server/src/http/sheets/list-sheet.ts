/** Sends a list as a spreadsheet (the button "Download Excel" above it). */
import type { Readable } from 'node:stream'
import type { Translate } from '@waybill/contract/ground/validation'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../../deps.ts'
import { buildListSheet, type ListSheet } from '../../lib/sheet/list-sheet.ts'
import { contentDisposition, type SheetFormat, sheetMediaTypes } from '../../lib/sheet/write.ts'

type SheetCall = { query: { format: SheetFormat }; t: Translate; reply: FastifyReply }

/**
 * `title` is a key of the locale files. Money columns have the deployment's decimals, times its time zone. Throws what
 * the list throws.
 */
export async function sendListSheet<R>(
  deps: Deps,
  { query: { format }, t, reply }: SheetCall,
  list: Pick<ListSheet<R>, 'file' | 'title' | 'columns' | 'read'>,
): Promise<Readable> {
  const { name, sheet } = await buildListSheet<R>({
    ...list,
    title: t(list.title),
    format,
    timeZone: deps.settings.get('timezone'),
    currency: deps.settings.get('currency'),
    now: deps.clock.now(),
    t,
  })
  reply.type(sheetMediaTypes[format]).header('content-disposition', contentDisposition(name))
  return sheet
}
