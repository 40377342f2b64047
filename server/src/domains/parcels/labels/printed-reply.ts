// The HTTP response of a print.
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { contentDisposition } from '../../../lib/sheet/write.ts'

/** Sends a document with its file name: browsers show PDF, and download ZPL. */
export function sendPrinted(reply: FastifyReply, { file, name }: { file: Readable; name: string }): Readable {
  const zpl = name.endsWith('.zpl')
  reply.type(zpl ? 'application/zpl; charset=utf-8' : 'application/pdf')
  reply.header('content-disposition', contentDisposition(name, zpl ? 'attachment' : 'inline'))
  return file
}
