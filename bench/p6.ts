import { monitorEventLoopDelay } from 'node:perf_hooks'
import { renderConsignmentNotes } from '../server/src/domains/parcels/labels/draw-notes.ts'
import { layoutNote } from '../server/src/domains/parcels/labels/layout.ts'
import { noteText } from '../server/src/domains/parcels/labels/layout-text.ts'
import { loadFonts } from '../server/src/lib/print/fonts.ts'
import { language, someAddress, someNote } from '../server/test/testing/documents.ts'
import { barePages, type Page } from './floor-notes.ts'
import { measure, timeSeconds } from './measure.ts'
import { against, alone, type Figure, median } from './results.ts'

const labels = 1000

/** Common characters of names, so that each label needs some different glyphs. */
const characters = [
  ...'的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经',
]
const pick = (label: number, n: number) => characters[(label * 7919 + n * 104_729) % characters.length] ?? '中'

function noteFor(label: number) {
  return someNote({
    trackingNumber: `WB${String(10_000_000_000 + label * 7_654_321).slice(-11)}`,
    receiver: someAddress({
      name: `Customer ${label} ${pick(label, 1)}${pick(label, 2)}${pick(label, 3)}`,
      line1: `${label}, Jalan ${pick(label, 4)}${pick(label, 5)} ${label % 97}/${label % 13}`,
    }),
  })
}

/**
 * P6: a PDF of 1,000 A6 labels, compared with the same text and bars through the bare PDF library; the longest block
 * of the event loop meanwhile.
 */
export async function p6(): Promise<Figure[]> {
  const notes = Array.from({ length: labels }, (_, label) => noteFor(label))
  const options = { format: 'a6' as const, ...language('en') }
  const fonts = await loadFonts()
  const pages: Page[] = notes.map((note) =>
    layoutNote(fonts, noteText(note, options), { x: 0, y: 0, width: 105, height: 148 }),
  )
  const blocks: number[] = []
  const medians = await measure(
    {
      async ours(round) {
        const batch = notes.slice(0, round < 0 ? 100 : labels)
        const delay = monitorEventLoopDelay({ resolution: 1 })
        delay.enable()
        const seconds = await timeSeconds(() => print(batch, options))
        delay.disable()
        if (round >= 0) blocks.push(delay.max / 1e6)
        return batch.length / seconds
      },
      async floor(round) {
        const batch = pages.slice(0, round < 0 ? 100 : labels)
        return batch.length / (await timeSeconds(() => barePages(batch)))
      },
    },
    5,
  )
  return [
    against({
      id: 'P6',
      what: 'one PDF of 1,000 A6 consignment notes, against the bare PDF library drawing the same',
      ...medians,
      unit: 'pages/s',
      goal: { compare: 'at least', value: 0.8 },
    }),
    alone({
      id: 'P6 loop',
      what: 'longest block of the event loop while printing them (median of rounds)',
      ours: median(blocks),
      unit: 'ms',
      goal: { compare: 'at most', value: 50 },
    }),
  ]
}

async function print(
  notes: Parameters<typeof renderConsignmentNotes>[0],
  options: Parameters<typeof renderConsignmentNotes>[1],
): Promise<number> {
  let bytes = 0
  for await (const chunk of renderConsignmentNotes(notes, options)) bytes += (chunk as Buffer).length
  return bytes
}
