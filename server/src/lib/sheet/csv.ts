/** CSV in any encoding and with any separator that Excel writes. */
import { SheetError } from './error.ts'

const separators = [',', ';', '\t', '|'] as const

/**
 * The separator that occurs equally often, outside quotes, in the most of the first five lines. The most frequent one
 * would be wrong: addresses can have more commas than the file has columns.
 */
export function detectSeparator(text: string): string {
  const lines = firstLines(text, 5)
  let best = { separator: ',', equalLines: 0, columns: 0 }
  for (const separator of separators) {
    const linesByCount = new Map<number, number>()
    for (const line of lines) {
      const count = line.split(separator).length - 1
      if (count > 0) linesByCount.set(count, (linesByCount.get(count) ?? 0) + 1)
    }
    for (const [columns, equalLines] of linesByCount)
      if (equalLines > best.equalLines || (equalLines === best.equalLines && columns > best.columns))
        best = { separator, equalLines, columns }
  }
  return best.separator
}

/** The first lines of a text, without what is in quotes. */
function firstLines(text: string, most: number): string[] {
  const lines = ['']
  let quoted = false
  for (const letter of text) {
    if (letter === '"') quoted = !quoted
    else if (quoted) continue
    else if (letter !== '\n') lines[lines.length - 1] += letter
    else if (lines.length === most) break
    else lines.push('')
  }
  return lines
}

const apostrophe = /^'[=+\-@\t\r\n|]/
/** Removes the apostrophe that our own export puts before formulas. */
const plain = (field: string) => (apostrophe.test(field) ? field.slice(1) : field)

/** A longer cell is not data. */
const maxFieldLength = 65_536

/** The rows of a text while it arrives. Throws SheetError broken if a quote is never closed. */
export function* csvRows(pieces: Iterable<string>, separator: string): Generator<string[]> {
  let row: string[] = []
  let field = ''
  let quoted = false
  let wasQuoted = false
  let lastWasQuote = false
  let skipNewline = false
  const endField = () => {
    row.push(plain(field))
    field = ''
    wasQuoted = false
    lastWasQuote = false
  }
  const special = new RegExp(`[${separator === '|' ? '\\|' : separator}\r\n"]`, 'g')
  for (const piece of pieces) {
    let at = 0
    while (at < piece.length) {
      if (quoted && !lastWasQuote) {
        const next = piece.indexOf('"', at)
        field += piece.slice(at, next < 0 ? piece.length : next)
        if (field.length > maxFieldLength) throw new SheetError('broken')
        if (next < 0) break
        lastWasQuote = true
        at = next + 1
        continue
      }
      if (lastWasQuote && quoted) {
        lastWasQuote = false
        if (piece[at] === '"') {
          field += '"'
          at++
          continue
        }
        quoted = false
      }
      special.lastIndex = at
      const match = special.exec(piece)
      const next = match ? match.index : piece.length
      if (next > at) {
        field += piece.slice(at, next)
        skipNewline = false
        if (field.length > maxFieldLength) throw new SheetError('broken')
      }
      if (!match) break
      at = next + 1
      const letter = match[0]
      if (letter === '"') {
        if (field === '' && !wasQuoted) {
          quoted = true
          wasQuoted = true
        } else field += '"'
      } else if (letter === separator) endField()
      else if (letter === '\n' && skipNewline) {
        skipNewline = false
        continue
      } else {
        endField()
        yield row
        row = []
      }
      skipNewline = letter === '\r'
    }
  }
  if (quoted && !lastWasQuote) throw new SheetError('broken')
  if (field !== '' || wasQuoted || row.length > 0) {
    endField()
    yield row
  }
}
