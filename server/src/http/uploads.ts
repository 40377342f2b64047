import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { EndpointShape, Schema } from '@waybill/contract/ground/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { safeParse } from 'zod/mini'
import type { Deps } from '../deps.ts'
import { AppError, ContractError, validationError } from './errors.ts'
import { countUploadQuota } from './limits/quota.ts'

/** A file of a form, whole in memory: those who take it look at its content first. */
export type UploadedFile = {
  /** As the sender's computer calls it: never a path of ours, never believed. */
  name: string
  bytes: Buffer
}

type UploadEndpoint = EndpointShape & { upload: Schema }
/** The form's fields as the endpoint's `upload` says, and its field `file`. */
export type Upload<E extends UploadEndpoint> = { fields: z.output<E['upload']>; file: UploadedFile | null }

/** Forms with a file. Nothing is read before a handler asks, so a stranger's megabytes stay outside. */
export async function registerUploads(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: true })
}

/** Counts what a signed-in caller sends before it is read. Throws upload_quota. */
export async function countUploadRequest(deps: Deps, request: FastifyRequest, mostBytes: number): Promise<void> {
  if (request.caller.kind === 'visitor') throw new AppError('unauthorized')
  // Who does not say how much it is may send as much as is taken.
  const length = Number(request.headers['content-length'] ?? mostBytes)
  await countUploadQuota(deps, request.caller, Math.min(Number.isFinite(length) ? length : mostBytes, mostBytes))
}

/**
 * Reads a form with at most one file, in the field `file`. Throws malformed (no form, or a broken one), too_large (over
 * `mostBytes`), validation (a field breaks its rule, a second file, a file under another name), upload_quota.
 */
export async function readUpload<E extends UploadEndpoint>(
  deps: Deps,
  request: FastifyRequest,
  endpoint: E,
  mostBytes: number,
): Promise<Upload<E>> {
  if (!request.isMultipart()) throw new AppError('unsupported_media')
  await countUploadRequest(deps, request, mostBytes)
  const given: Record<string, string> = {}
  let file: UploadedFile | null = null
  const parts = request.parts({
    limits: { fileSize: mostBytes, files: 1, fields: 20, fieldSize: 20_000, headerPairs: 50 },
  })
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        given[part.fieldname] = String(part.value)
      } else if (part.fieldname !== 'file') {
        part.file.resume()
        throw validationError({ field: part.fieldname, rule: 'unexpectedFile' })
      } else {
        file = { name: part.filename ?? '', bytes: await wholeOf(part.file) }
        if (part.file.truncated) throw new AppError('too_large')
      }
    }
  } catch (error) {
    throw uploadError(error)
  }
  // A browser sends an empty file for a field in which nothing was chosen.
  if (file && file.name === '' && file.bytes.length === 0) file = null
  const parsed = safeParse(endpoint.upload, given, { reportInput: true })
  if (!parsed.success) throw new ContractError(parsed.error.issues)
  const text = Object.values(given).join('')
  if (text.includes('\0') || !text.isWellFormed()) throw new AppError('malformed')
  return { fields: parsed.data as z.output<E['upload']>, file }
}

async function wholeOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function uploadError(error: unknown): unknown {
  if (error instanceof AppError || error instanceof ContractError) return error
  const { code } = error as { code?: unknown }
  if (code === 'FST_REQ_FILE_TOO_LARGE') return new AppError('too_large')
  if (code === 'FST_FILES_LIMIT') return validationError({ field: 'file', rule: 'oneFile' })
  // What the form's parser says of a broken body has no code of ours.
  return new AppError('malformed')
}
