/** Forms with a file. */
import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { EndpointShape, Schema } from '@waybill/contract/ground/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { safeParse } from 'zod/mini'
import type { Deps } from '../deps.ts'
import { AppError, ContractError, validationError } from './errors.ts'
import { countUploadQuota } from './limits/quota.ts'

/** An uploaded file in memory. Check its content before using it. */
export type UploadedFile = {
  /** The name on the sender's computer. Untrusted: never used as a path. */
  name: string
  bytes: Buffer
}

type UploadEndpoint = EndpointShape & { upload: Schema }
/** The fields of the endpoint's `upload` schema, and the field `file`. */
export type Upload<E extends UploadEndpoint> = { fields: z.output<E['upload']>; file: UploadedFile | null }

/**
 * Enables forms with a file. The body is read only when a handler requests it, so an unauthorised upload is never
 * received.
 */
export async function registerUploads(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: true })
}

/** Counts a signed-in caller's upload before it is read. Throws upload_quota. */
export async function countUploadRequest(deps: Deps, request: FastifyRequest, maxBytes: number): Promise<void> {
  if (request.caller.kind === 'visitor') throw new AppError('unauthorized')
  // Without a content length the largest allowed size is counted.
  const length = Number(request.headers['content-length'] ?? maxBytes)
  await countUploadQuota(deps, request.caller, Math.min(Number.isFinite(length) ? length : maxBytes, maxBytes))
}

/**
 * Reads a form with at most one file, in the field `file`. Throws malformed (no form, or a broken one), too_large (over
 * `maxBytes`), validation (a field breaks its rule, a second file, a file under another name), upload_quota.
 */
export async function readUpload<E extends UploadEndpoint>(
  deps: Deps,
  request: FastifyRequest,
  endpoint: E,
  maxBytes: number,
): Promise<Upload<E>> {
  if (!request.isMultipart()) throw new AppError('unsupported_media')
  await countUploadRequest(deps, request, maxBytes)
  const values: Record<string, string> = {}
  let file: UploadedFile | null = null
  const parts = request.parts({
    limits: { fileSize: maxBytes, files: 1, fields: 20, fieldSize: 20_000, headerPairs: 50 },
  })
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        values[part.fieldname] = String(part.value)
      } else if (part.fieldname !== 'file') {
        part.file.resume()
        throw validationError({ field: part.fieldname, rule: 'unexpectedFile' })
      } else {
        file = { name: part.filename ?? '', bytes: await readAll(part.file) }
        if (part.file.truncated) throw tooLarge(maxBytes)
      }
    }
  } catch (error) {
    throw uploadError(error, maxBytes)
  }
  // A browser sends an empty file for an empty file field.
  if (file && file.name === '' && file.bytes.length === 0) file = null
  const parsed = safeParse(endpoint.upload, values, { reportInput: true })
  if (!parsed.success) throw new ContractError(parsed.error.issues)
  const text = Object.values(values).join('')
  if (text.includes('\0') || !text.isWellFormed()) throw new AppError('malformed')
  return { fields: parsed.data as z.output<E['upload']>, file }
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const tooLarge = (maxBytes: number) =>
  new AppError('too_large', { text: 'too_large_limit', vars: { megabytes: Math.floor(maxBytes / 2 ** 20) } })

function uploadError(error: unknown, maxBytes: number): unknown {
  if (error instanceof AppError || error instanceof ContractError) return error
  const { code } = error as { code?: unknown }
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(maxBytes)
  if (code === 'FST_FILES_LIMIT') return validationError({ field: 'file', rule: 'oneFile' })
  // The parser's own errors about a broken body have no code in the contract.
  return new AppError('malformed')
}
