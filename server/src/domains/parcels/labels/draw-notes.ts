import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { intlLocale } from '@waybill/contract/ground/enums'
import { loadFonts } from '../../../lib/print/fonts.ts'
import type { Mark } from '../../../lib/print/marks.ts'
import { type PdfPage, pdfStream } from '../../../lib/print/pdf.ts'
import { zplLabel } from '../../../lib/print/zpl.ts'
import { layoutNote } from './layout.ts'
import { type ConsignmentNote, type NoteLanguage, noteText } from './layout-text.ts'

/** PDF on a kind of paper, or the language of label printers. */
export type NoteFormat = keyof typeof sheets | 'zpl'

export interface NoteOptions extends NoteLanguage {
  format: NoteFormat
  /** For the document's own properties. */
  now: Date
  /** On a sheet of several labels: the place of the first one, from 1, for a sheet that has been begun. */
  startAt?: number
}

export interface Sheet {
  widthMm: number
  heightMm: number
  label: { width: number; height: number }
  /** Top left corners of the labels on a sheet, in the order they are filled. */
  places: { x: number; y: number }[]
}

const a6 = { width: 105, height: 148 }
const single = (width: number, height: number): Sheet => ({
  widthMm: width,
  heightMm: height,
  label: { width, height },
  places: [{ x: 0, y: 0 }],
})

/** How labels lie on paper. A4 takes four A6 with a millimetre left over. */
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
 * One PDF of any number of notes, drawn while it is read: neither the notes nor the pages are all in memory. The stream
 * fails with the error of the notes' source, or with that of a tracking number which Code 128 can't hold.
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
    // A process's first note builds number formats and phone plans, then compiles the drawing: two turns of the event
    // loop rather than one.
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

/** The paper of a format; a label printer's is A6. */
export function noteSheet(format: NoteFormat): Sheet {
  return sheets[format === 'zpl' ? 'a6' : format]
}

/** One ^XA … ^XZ a note, handed on as it is drawn. */
async function* noteLabels(
  notes: AsyncIterable<ConsignmentNote> | Iterable<ConsignmentNote>,
  options: NoteOptions,
): AsyncGenerator<string> {
  const fonts = await loadFonts()
  const { width, height } = sheets.a6.label
  for await (const note of notes) {
    const marks = layoutNote(fonts, noteText(note, options), { x: 0, y: 0, width, height })
    yield await zplLabel(fonts, { widthMm: width, heightMm: height, marks })
    // The next label waits for whoever else has something to do.
    await setImmediate()
  }
}

/** The first sheet as marks, for a preview on a screen. */
export async function previewSheet(notes: AsyncIterable<ConsignmentNote>, options: NoteOptions): Promise<PdfPage> {
  for await (const page of notePages(notes, options)) return page
  throw new Error('No note to show.')
}
