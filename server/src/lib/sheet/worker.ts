/** The thread that reads uploaded spreadsheets for `threads.ts`: one file at a time, its rows in portions. */
import { parentPort } from 'node:worker_threads'
import { SheetError } from './error.ts'
import { inspectSheet, readSheet } from './read.ts'
import type { ReadRow } from './row.ts'
import type { SheetReply, SheetRequest } from './threads.ts'

/** A portion is full with so many rows or so many characters, so that taking one never keeps the server busy. */
const portionRows = 250
const portionText = 262_144

/** Longer texts are cut: nothing that is kept of a cell is half as long. */
const longestCell = 4_000

/** Characters of all rows together. One long shared text in every cell would make gigabytes of a small file. */
const mostText = 30_000_000

const port = parentPort
if (!port) throw new Error('This file is the entry of a worker thread.')
const reply = (message: SheetReply) => port.postMessage(message)

/** Portions that the other side still takes. */
let credit = 0
let credited: (() => void) | null = null

port.on('message', (message: SheetRequest) => {
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
  await sendRows(request.format === 'json' ? jsonRows(bytes) : readSheet(bytes, request.limits))
  reply({ kind: 'end' })
}

async function sendRows(rows: AsyncIterable<ReadRow> | Iterable<ReadRow>): Promise<void> {
  let [portion, text, total]: [ReadRow[], number, number] = [[], 0, 0]
  for await (const row of rows) {
    for (const [n, cell] of row.cells.entries()) {
      if (typeof cell !== 'string') continue
      if (cell.length > longestCell) row.cells[n] = cell.slice(0, longestCell)
      text += Math.min(cell.length, longestCell)
    }
    portion.push(row)
    if (portion.length < portionRows && text < portionText) continue
    total += text
    if (total > mostText) throw new SheetError('too_large')
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
