/** Errors: thrown as a code, answered in the caller's language. */

import type { Locale } from '@waybill/contract/ground/constants'
import type { Label } from '@waybill/contract/ground/enums/labels'
import { type ErrorBody, type ErrorCode, errorStatus, type FieldError } from '@waybill/contract/ground/errors'
import { groupNumbersIn } from '@waybill/contract/ground/tracking-number'
import { fieldMessage, type Translate, toFieldErrors } from '@waybill/contract/ground/validation'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { isUnavailable } from '../db/pool.ts'
import { FileStoreUnavailable } from '../lib/files.ts'
import { labelsIn, type Translations } from '../lib/i18n.ts'

/** A field that breaks a rule. `rule` is a key under `validation.` in the locale files. */
export type FieldProblem = {
  field: string
  rule: string
  vars?: Record<string, unknown>
  /** Variables of the text that depend on the language: labels, and formatted dates, weights and amounts. */
  labels?: Record<string, Label>
}

type Extra = {
  /** A different text for the same code: a key under `errors.` in the locale files. */
  text?: string
  fields?: FieldProblem[]
  /** Variables of the text. */
  vars?: Record<string, unknown>
  /** Variables of the text that depend on the language: labels, and formatted dates, weights and amounts. */
  labels?: Record<string, Label>
  /** Data for the screen, sent unchanged. */
  details?: Record<string, unknown>
  /** Seconds, for 429 and 503. */
  retryAfter?: number
}

/**
 * An error below a route. The text comes from the translations (`errors.<code>`), the status from the contract's table.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly extra: Extra

  constructor(code: ErrorCode, extra: Extra = {}) {
    super(code)
    this.name = 'AppError'
    this.code = code
    this.extra = extra
  }
}

/** A 422 with one entry per field. */
export function validationError(...fields: FieldProblem[]): AppError {
  return new AppError('validation', { fields })
}

/** Thrown by the validator with Zod's issues, which are translated in the response. */
export class ContractError extends Error {
  readonly issues: readonly z.core.$ZodIssue[]

  constructor(issues: readonly z.core.$ZodIssue[]) {
    super('request does not fit the contract')
    this.name = 'ContractError'
    this.issues = issues
  }
}

/** Constraints of the database and the error that the caller gets. Any other violation is a bug and gets a 500. */
const constraintErrors: Record<string, () => AppError> = {
  users_email: () => new AppError('email_taken', { fields: [{ field: 'email', rule: 'taken' }] }),
  users_invited_email: () => new AppError('email_taken', { fields: [{ field: 'email', rule: 'taken' }] }),
  identities_subject: () => new AppError('identity_taken'),
  identities_user_issuer: () => new AppError('identity_namesake'),
  addresses_one_default: () => new AppError('version_conflict'),
  ledger_accounts_no_overdraft: () => new AppError('wallet_too_low'),
  claims_once: () => new AppError('claim_made'),
  chat_answers_title: () => validationError({ field: 'title', rule: 'taken' }),
  stations_code_unique: () => validationError({ field: 'code', rule: 'taken' }),
  users_station: () => validationError({ field: 'stationId', rule: 'enum' }),
  zones_code_unique: () => validationError({ field: 'code', rule: 'taken' }),
}

/** PostgreSQL's codes for a lock or a statement that took too long: a retry may succeed. */
const tookTooLong = new Set(['55P03', '57014'])
/** The disk of the uploaded files is full or read-only. */
const noRoomForFiles = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

function toKnownError(error: unknown): AppError | ContractError | null {
  if (error instanceof AppError || error instanceof ContractError) return error
  if (typeof error !== 'object' || error === null) return null
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  if (typeof constraint === 'string' && constraintErrors[constraint]) return constraintErrors[constraint]()
  if (error instanceof FileStoreUnavailable) return new AppError('unavailable', { retryAfter: 5 })
  if (isUnavailable(error) || (typeof code === 'string' && (tookTooLong.has(code) || noRoomForFiles.has(code))))
    return new AppError('unavailable', { retryAfter: 5 })
  return null
}

function fromFastify(error: FastifyError): ErrorCode | null {
  if (error.statusCode === 413) return 'too_large'
  if (error.statusCode === 415) return 'unsupported_media'
  if (error.statusCode === 429) return 'too_many_requests'
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) return 'malformed'
  return null
}

/** The body of an error response in the caller's language. */
export function toErrorBody(error: AppError | ContractError, t: Translate, locale: Locale): ErrorBody {
  const code: ErrorCode = error instanceof ContractError ? 'validation' : error.code
  const extra: Extra = error instanceof AppError ? error.extra : {}
  const errors: FieldError[] | undefined =
    error instanceof ContractError
      ? toFieldErrors(error.issues, t)
      : extra.fields?.map(({ field, rule, vars, labels }) => ({
          field,
          message: groupNumbersIn(fieldMessage(rule, field, t, { ...vars, ...labelsIn(labels, locale) })),
        }))
  return {
    statusCode: errorStatus[code],
    code,
    message: groupNumbersIn(t(`errors.${extra.text ?? code}`, { ...extra.vars, ...labelsIn(extra.labels, locale) })),
    ...(errors ? { errors } : {}),
    ...(extra.details ? { details: extra.details } : {}),
  }
}

/** Upload errors that concern the file itself. */
const fileErrors = new Set(['too_large', 'unsupported_media', 'upload_quota'])

/** Answers every error of every route in one shape; never a stack trace, never HTML. */
export function registerErrors(
  app: FastifyInstance,
  getLocale: (request: FastifyRequest) => Locale,
  translations: Translations,
): void {
  const answer = (request: FastifyRequest, reply: FastifyReply, error: AppError | ContractError) => {
    const locale = getLocale(request)
    const plain = toErrorBody(error, translations(locale), locale)
    // An error about the file is shown at the field that it was uploaded with.
    const aboutFile = request.isMultipart?.() && (fileErrors.has(plain.code) || plain.code.startsWith('file_'))
    const body = aboutFile ? { ...plain, errors: [{ field: 'file', message: plain.message }] } : plain
    if (error instanceof AppError && error.extra.retryAfter !== undefined) {
      reply.header('retry-after', Math.max(1, Math.ceil(error.extra.retryAfter)))
    }
    return reply.status(body.statusCode).type('application/json; charset=utf-8').send(body)
  }
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const knownError = toKnownError(error)
    // An operator must know what is full or locked; the caller only needs to retry.
    if (knownError && knownError !== error && knownError instanceof AppError && knownError.code === 'unavailable')
      request.log.warn({ err: error }, 'request put off')
    if (knownError) return answer(request, reply, knownError)
    const code = fromFastify(error)
    if (code) return answer(request, reply, new AppError(code))
    request.log.error({ err: error }, 'request failed')
    return answer(request, reply, new AppError('internal'))
  })
  app.setNotFoundHandler((request, reply) => answer(request, reply, new AppError('not_found')))
}
