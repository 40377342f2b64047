/** What the log says about errors, without the data of persons. */

/** The part before the `@`, which may be quoted, and the domain. The limits keep a long text fast. */
const address = /(?:"[^"]{1,64}"|[^\s<>"'(),:;@[\]/]{1,64})@([^\s<>"'(),:;@[\]/]{1,255})/gu

/** Hides who mail addresses in a text belong to. Their domains stay, because mail servers fail by domain. */
export const maskAddresses = (text: string): string => text.replace(address, '***@$1')

/**
 * Fields of errors of the database, the network and other services that contain no data. PostgreSQL's `detail` and
 * `where` quote whole rows.
 */
const safeFields = [
  ...['code', 'severity', 'schema', 'table', 'column', 'constraint', 'routine'],
  ...['syscall', 'command', 'responseCode', 'status', 'statusCode'],
]
/** A cause of a cause of a cause says nothing new. */
const deepestCause = 3

type ErrorFields = { type: string; message: string; stack: string; [field: string]: unknown }

/** The serializer of `err` in log lines. */
export function errorFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: maskAddresses(String(error)), stack: '' }
  const fields = error as Error & Record<string, unknown>
  const nested = (inner: unknown) => errorFields(inner, depth + 1)
  return {
    type: error.constructor.name,
    message: maskAddresses(error.message),
    stack: maskAddresses(error.stack ?? ''),
    ...Object.fromEntries(safeFields.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]])),
    ...(error.cause === undefined || depth >= deepestCause ? {} : { cause: nested(error.cause) }),
    ...(error instanceof AggregateError && depth < deepestCause ? { errors: error.errors.map(nested) } : {}),
  }
}
