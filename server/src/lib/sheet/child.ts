/** The child process of `processes.ts`: reads one spreadsheet at a time and sends its rows in portions. */

import { clip } from '../text/clip.ts'
import { SheetError } from './error.ts'
import type { SheetReply, SheetRequest } from './processes.ts'
import { inspectSheet, readSheet } from './read.ts'
import type { ReadRow } from './row.ts'

/** A portion is limited in rows and characters, so that receiving one never blocks the server for long. */
const portionRows = 250
const portionText = 262_144

/** Longer texts are truncated: no field accepts half of it. */
const maxCellLength = 4_000

/** Characters of all rows together: one long shared string in every cell would turn a small file into gigabytes. */
const maxText = 30_000_000

if (!process.send) throw new Error('This file is the entry of a child process.')
const reply = (message: SheetReply) => process.send?.(message)

// The server has exited.
process.on('disconnect', () => process.exit())

/** The number of portions that the receiver still accepts. */
let credit = 0
let credited: (() => void) | null = null

process.on('message', (message: SheetRequest) => {
  if (message.kind === 'more') {
    credit++
    credited?.()
    return
  }
  work(message).catch((error: unknown) => {
    if (error instanceof SheetError) reply({ kind: 'fault', fault: error.fault, vars: error.vars })
    else reply({ kind: 'error', text: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  })
})

async function work(request: Exclude<SheetRequest, { kind: 'more' }>): Promise<void> {
  const bytes = Buffer.from(request.bytes.buffer, request.bytes.byteOffset, request.bytes.byteLength)
  if (request.kind === 'inspect') {
    reply({ kind: 'format', format: await inspectSheet(bytes, request.limits) })
    return
  }
  credit = request.credit
  await sendRows(request.format === 'json' ? jsonRows(bytes) : readSheet(bytes, request.limits, request.headers))
  reply({ kind: 'end' })
}

async function sendRows(rows: AsyncIterable<ReadRow> | Iterable<ReadRow>): Promise<void> {
  let [portion, text, total]: [ReadRow[], number, number] = [[], 0, 0]
  for await (const row of rows) {
    for (const [n, cell] of row.cells.entries()) {
      if (typeof cell !== 'string') continue
      if (cell.length > maxCellLength) row.cells[n] = clip(cell, maxCellLength)
      text += Math.min(cell.length, maxCellLength)
    }
    portion.push(row)
    if (portion.length < portionRows && text < portionText) continue
    total += text
    if (total > maxText) throw new SheetError('too_large')
    await sendPortion(portion)
    portion = []
    text = 0
  }
  if (portion.length > 0) await sendPortion(portion)
}

async function sendPortion(rows: ReadRow[]): Promise<void> {
  while (credit === 0) {
    await new Promise<void>((resolve) => {
      credited = resolve
    })
  }
  credit--
  reply({ kind: 'rows', rows })
}

/** Pasted cells: an array of arrays of text, the headers first. */
function* jsonRows(bytes: Buffer): Generator<ReadRow> {
  const rows = JSON.parse(bytes.toString('utf8')) as string[][]
  for (const [n, cells] of rows.entries()) {
    if (cells.some((cell) => cell.trim() !== '')) yield { number: n + 1, cells, marks: null }
  }
}
