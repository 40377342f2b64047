// Draws consignment notes as PDF or ZPL.
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { intlLocale } from '@waybill/contract/ground/constants'
import { loadFonts } from '../../../lib/print/fonts.ts'
import type { Mark } from '../../../lib/print/marks.ts'
import { type PdfPage, pdfStream } from '../../../lib/print/pdf.ts'
import { zplLabel } from '../../../lib/print/zpl.ts'
import { layoutNote } from './layout.ts'
import { type ConsignmentNote, type NoteLanguage, noteText } from './layout-text.ts'

/** PDF on a paper size, or ZPL, the language of label printers. */
export type NoteFormat = keyof typeof sheets | 'zpl'

export interface NoteOptions extends NoteLanguage {
  format: NoteFormat
  /** The date in the document's properties. */
  now: Date
  /** On a sheet of several labels: the position of the first one, from 1, for a partly used sheet. */
  startAt?: number
}

export interface Sheet {
  widthMm: number
  heightMm: number
  label: { width: number; height: number }
  /** The top left corners of the labels, in the order in which they are filled. */
  places: { x: number; y: number }[]
}

const a6 = { width: 105, height: 148 }
const single = (width: number, height: number): Sheet => ({
  widthMm: width,
  heightMm: height,
  label: { width, height },
  places: [{ x: 0, y: 0 }],
})

/** The labels on each paper size. A4 has four A6 labels. */
const sheets = {
  a6: single(a6.width, a6.height),
  '4x6': single(101.6, 152.4),
  a4: {
    widthMm: 210,
    heightMm: 297,
    label: a6,
    places: [
      { x: 0, y: 0 },
      { x: 105, y: 0 },
      { x: 0, y: 148.5 },
      { x: 105, y: 148.5 },
    ],
  },
} satisfies Record<string, Sheet>

/**
 * A document of any number of notes, drawn while it is read, so that neither all notes nor all pages are in memory.
 * The stream fails with the error of the source of the notes, or for a tracking number that Code 128 cannot encode.
 */
export function renderConsignmentNotes(
  notes: AsyncIterable<ConsignmentNote> | Iterable<ConsignmentNote>,
  options: NoteOptions,
): Readable {
  if (options.format === 'zpl') return Readable.from(noteLabels(notes, options), { objectMode: false })
  const info = {
    title: options.t('note.title'),
    language: intlLocale(options.locale),
    createdAt: options.now,
  }
  return pdfStream(info, notePages(notes, options))
}

async function* notePages(
  notes: AsyncIterable<ConsignmentNote> | Iterable<ConsignmentNote>,
  options: NoteOptions,
): AsyncGenerator<PdfPage> {
  const fonts = await loadFonts()
  const sheet = noteSheet(options.format)
  const page = (marks: Mark[]): PdfPage => ({ widthMm: sheet.widthMm, heightMm: sheet.heightMm, marks })
  let marks: Mark[] = []
  let used = Math.min(Math.max((options.startAt ?? 1) - 1, 0), sheet.places.length - 1)
  let first = true
  for await (const note of notes) {
    const text = noteText(note, options)
    // The first note of a process builds formats and compiles the drawing code. A pause between both keeps the event
    // loop free for other requests.
    if (first) await setImmediate()
    first = false
    marks.push(...layoutNote(fonts, text, { ...(sheet.places[used] ?? { x: 0, y: 0 }), ...sheet.label }))
    used++
    if (used < sheet.places.length) continue
    yield page(marks)
    marks = []
    used = 0
  }
  if (marks.length > 0) yield page(marks)
}

/** The paper of a format; ZPL labels are A6. */
export function noteSheet(format: NoteFormat): Sheet {
  return sheets[format === 'zpl' ? 'a6' : format]
}

/** Formats the notes as ZPL, one label (^XA … ^XZ) each. */
async function* noteLabels(
  notes: AsyncIterable<ConsignmentNote> | Iterable<ConsignmentNote>,
  options: NoteOptions,
): AsyncGenerator<string> {
  const fonts = await loadFonts()
  const { width, height } = sheets.a6.label
  for await (const note of notes) {
    const marks = layoutNote(fonts, noteText(note, options), { x: 0, y: 0, width, height })
    yield await zplLabel(fonts, { widthMm: width, heightMm: height, marks })
    // Other requests get their turn before the next label.
    await setImmediate()
  }
}

/** The first sheet, for a preview on a screen. */
export async function previewSheet(notes: AsyncIterable<ConsignmentNote>, options: NoteOptions): Promise<PdfPage> {
  for await (const page of notePages(notes, options)) return page
  throw new Error('No note to show.')
}
