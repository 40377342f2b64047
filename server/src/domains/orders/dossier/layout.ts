// Draws the pages of one parcel of a dossier.
import type { Party } from '@waybill/contract/addresses/addresses'
import { formatDate, type PrintSettings } from '@waybill/contract/ground/format'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { columns, Drawing } from '../../../lib/print/drawing.ts'
import type { FontSet } from '../../../lib/print/fonts.ts'
import type { Box, Colour } from '../../../lib/print/marks.ts'
import type { PdfPage } from '../../../lib/print/pdf.ts'
import { type Column, layoutRow } from '../../../lib/print/table.ts'
import type { Paragraph } from '../../../lib/print/typeset.ts'
import type { ParcelHistory } from '../../parcels/timeline/history.ts'
import type { Language } from '../present.ts'

type Photos = readonly Uint8Array[]
/** `photos`: of the handover. `attemptPhotos`: for each event of the history, most of which have none. */
export type HistoryPictures = { signature: Uint8Array | null; photos: Photos; attemptPhotos: readonly Photos[] }
export type HistoryOptions = Language &
  Pick<PrintSettings, 'timeZone' | 'dateTimeFormat'> & { issuer: string; colour: string }

const a4 = { width: 210, height: 297 }
const margin = 18
const contentWidth = a4.width - 2 * margin
const bottom = a4.height - 20
const grey: Colour = '5b6169'
const hairline: Colour = 'd5d8dc'
const tableColumns: Column[] = [
  { width: 46, align: 'left' },
  { width: contentWidth - 46 - 50, align: 'left' },
  { width: 50, align: 'left' },
]
/** The size of each of two photos side by side. */
const photoSize = { width: (contentWidth - 6) / 2, height: 64 }
const signatureSize = { width: 72, height: 24 }

/** Draws the pages of a parcel: sender and receiver, timeline, and proof of delivery. */
export function layoutHistory(
  fonts: FontSet,
  parcel: ParcelHistory,
  pictures: HistoryPictures,
  options: HistoryOptions,
): PdfPage[] {
  const pages = new HistoryPages(fonts, parcel, options)
  pages.opening()
  pages.timeline(pictures)
  pages.proof(pictures)
  return pages.finish()
}

class HistoryPages {
  readonly #fonts: FontSet
  readonly #parcel: ParcelHistory
  readonly #options: HistoryOptions
  readonly #drawings: Drawing[] = []
  #y = 0

  constructor(fonts: FontSet, parcel: ParcelHistory, options: HistoryOptions) {
    this.#fonts = fonts
    this.#parcel = parcel
    this.#options = options
    this.#open()
  }

  get #draw(): Drawing {
    return this.#drawings.at(-1) as Drawing
  }

  #t(key: string, vars?: Record<string, unknown>): string {
    return this.#options.t(`dossierDoc.${key}`, vars)
  }

  #time(at: Date | string): string {
    const { timeZone, dateTimeFormat, locale } = this.#options
    return formatDate(typeof at === 'string' ? at : at.toISOString(), timeZone, dateTimeFormat, locale)
  }

  #open(): void {
    const draw = new Drawing(this.#fonts, 0.25)
    this.#drawings.push(draw)
    draw.block({ x: 0, y: 0, width: a4.width, height: 2.5 }, this.#options.colour.replace('#', ''))
    const [left, right] = columns({ x: margin, y: 12, width: contentWidth, height: 7 }, 100) as [Box, Box]
    draw.text([{ text: this.#options.issuer, size: 10, weight: 'bold' }], left, { valign: 'middle', oneLine: true })
    draw.text([{ text: this.#t('title'), size: 9, colour: grey }], right, {
      align: 'right',
      valign: 'middle',
      oneLine: true,
    })
    this.#y = 24
  }

  /** Starts a new page if `height` does not fit on this one. */
  #need(height: number): void {
    if (this.#y + height > bottom) this.#open()
  }

  #line(paragraphs: Paragraph[], height: number): void {
    this.#draw.text(paragraphs, { x: margin, y: this.#y, width: contentWidth, height }, { oneLine: true })
    this.#y += height
  }

  opening(): void {
    const { trackingNumber, reference, service, sender, receiver, createdAt } = this.#parcel
    this.#line([{ text: groupTrackingNumber(trackingNumber), size: 20, weight: 'bold' }], 10)
    const facts = [
      service,
      reference === null ? '' : this.#t('reference', { reference }),
      this.#t('created', { at: this.#time(createdAt) }),
    ]
    this.#line([{ text: facts.filter(Boolean).join('  ·  '), size: 9, colour: grey }], 7)
    const box = { x: margin, y: this.#y + 3, width: contentWidth, height: 32 }
    const [from, to] = columns(box, contentWidth / 2) as [Box, Box]
    this.#party(this.#t('sender'), sender, from)
    this.#party(this.#t('receiver'), receiver, to)
    this.#y += 40
  }

  #party(caption: string, party: Party | null, box: Box): void {
    this.#draw.text(
      [{ text: caption, size: 8, weight: 'bold', colour: grey }],
      { ...box, height: 5 },
      { oneLine: true },
    )
    if (!party) return
    const { contactName, company, line1, line2, postcode, city, state } = party
    const place = [`${postcode} ${city}`.trim(), state === city ? '' : state].filter(Boolean).join(', ')
    const lines = [company, line1, line2, place].filter((line) => line !== null && line !== '')
    this.#draw.text(
      [{ text: contactName, size: 10.5, weight: 'bold' }, ...lines.map((text) => ({ text: text as string, size: 9 }))],
      { x: box.x, y: box.y + 5, width: box.width - 6, height: box.height - 5 },
      { leading: 1.35 },
    )
  }

  #heading(text: string, needed: number): void {
    this.#need(10 + needed)
    this.#line([{ text, size: 12, weight: 'bold' }], 8)
    this.#draw.rule(margin, this.#y, contentWidth, 'across', hairline)
    this.#y += 1
  }

  timeline({ attemptPhotos }: HistoryPictures): void {
    this.#heading(this.#t('timeline'), 12)
    for (const [n, { at, title, place, note }] of [...this.#parcel.events.entries()].reverse()) {
      const cells: Paragraph[][] = [
        [{ text: this.#time(at), size: 9 }],
        [
          { text: title, size: 9, weight: 'bold' },
          { text: note ?? '', size: 8, colour: grey },
        ],
        [{ text: place ?? '', size: 9 }],
      ]
      const row = layoutRow(this.#fonts, tableColumns, cells, margin - 2, 60)
      this.#need(row.height)
      for (const mark of row.at(this.#y)) this.#draw.add(mark)
      this.#y += row.height
      this.#photos(attemptPhotos[n] ?? [])
      this.#draw.rule(margin, this.#y, contentWidth, 'across', hairline)
    }
    this.#y += 6
  }

  /** Photos in pairs. */
  #photos(photos: Photos): void {
    for (let n = 0; n < photos.length; n += 2) {
      this.#need(photoSize.height + 4)
      photos.slice(n, n + 2).forEach((data, index) => {
        this.#draw.add({ kind: 'image', data, x: margin + index * (photoSize.width + 6), y: this.#y, ...photoSize })
      })
      this.#y += photoSize.height + 4
    }
  }

  proof({ signature, photos }: HistoryPictures): void {
    const { proof } = this.#parcel
    this.#heading(this.#t('proof'), 8 + (signature ? signatureSize.height : 0))
    if (!proof) {
      this.#line([{ text: this.#t('noProof'), size: 9.5 }], 7)
      return
    }
    this.#line([{ text: this.#t('receivedBy', { name: proof.recipientName, at: this.#time(proof.at) }), size: 9.5 }], 7)
    if (signature) {
      const box = { x: margin, y: this.#y, ...signatureSize }
      this.#draw.add({ kind: 'frame', ...box, line: 0.25, radius: 1.5, colour: hairline })
      this.#draw.add({ kind: 'image', data: signature, ...box })
      this.#y += signatureSize.height + 4
    }
    this.#photos(photos)
  }

  finish(): PdfPage[] {
    return this.#drawings.map((draw, index) => {
      const box = { x: margin, y: a4.height - 13, width: contentWidth, height: 5 }
      const page = { number: groupTrackingNumber(this.#parcel.trackingNumber), page: index + 1 }
      const text = this.#t('foot', { ...page, pages: this.#drawings.length })
      draw.rule(margin, a4.height - 15, contentWidth, 'across', hairline)
      draw.text([{ text, size: 7.5, colour: grey }], box, { valign: 'middle', oneLine: true })
      return { widthMm: a4.width, heightMm: a4.height, marks: draw.marks }
    })
  }
}
