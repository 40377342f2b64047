/** How values arrive from PostgreSQL. */
import pg from 'pg'

const int8Oid = 20
const dateOid = 1082
const int8ArrayOid = 1016
const dateArrayOid = 1182
const numericArrayOid = 1231
const textArrayOid = 1009

function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 value ${text} is beyond what a number holds exactly`)
  return value
}

const asIs = (text: string): string => text

function parseArray<T>(parse: (text: string) => T): (text: string) => (T | null)[] {
  const textArray: (text: string) => (string | null)[] = pg.types.getTypeParser(
    textArrayOid as Parameters<typeof pg.types.getTypeParser>[0],
    'text',
  )
  return (text) => textArray(text).map((item) => (item === null ? null : parse(item)))
}

const parsers = new Map<number, (text: string) => unknown>([
  [int8Oid, parseInt8],
  [dateOid, asIs],
  [int8ArrayOid, parseArray(parseInt8)],
  [dateArrayOid, parseArray(asIs)],
  // pg would convert them to floats.
  [numericArrayOid, parseArray(asIs)],
])

/** The parser of a type's values, as `createPool` describes them. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  const own = format === 'binary' ? undefined : parsers.get(oid)
  return own ?? pg.types.getTypeParser(oid, format as 'text')
}
