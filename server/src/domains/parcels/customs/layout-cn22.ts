// The layout of a CN22, the label for parcels of little weight and value. Pure.
import { columns, inset } from '../../../lib/print/drawing.ts'
import type { FontSet } from '../../../lib/print/fonts.ts'
import type { Box, Mark } from '../../../lib/print/marks.ts'
import type { Column } from '../../../lib/print/table.ts'
import {
  a6,
  type CustomsLanguage,
  type CustomsPaper,
  type CustomsParty,
  customsRows,
  Form,
  grey,
  headingRow,
  line,
  shade,
} from './layout-form.ts'

/** The maximum number of lines on a CN22. */
const cn22Lines = 6

/** Whether all lines fit on the label; otherwise the declaration needs a CN23. */
export const fitsLabel = ({ lines }: Pick<CustomsPaper, 'lines'>): boolean => lines.length <= cn22Lines

/** The marks of a CN22 on A6, the paper size of the consignment note printer. */
export function layoutCn22(fonts: FontSet, paper: CustomsPaper, language: CustomsLanguage): Mark[] {
  const form = new Form(fonts, paper, language)
  const { draw } = form
  const box = { x: 3, y: 3, width: a6.width - 6, height: a6.height - 6 }
  form.frame(box)
  const head = { ...box, height: 13 }
  const [title, code] = columns(inset(head, 2.2, 1.2), 72) as [Box, Box]
  draw.text(
    [
      { text: form.t('title'), size: 11, weight: 'bold' },
      { text: form.t('official'), size: 7, colour: grey },
    ],
    title,
    { valign: 'middle', leading: 1.2 },
  )
  draw.text([{ text: 'CN 22', size: 20, weight: 'bold' }], code, { align: 'right', valign: 'middle', oneLine: true })
  draw.rule(box.x, head.y + head.height, box.width, 'across')

  const route = { ...box, y: head.y + head.height, height: 19 }
  const [from, to] = columns(route, route.width / 2) as [Box, Box]
  const short = ({ name, country }: CustomsParty) => ({ name, country })
  for (const [caption, party, area] of [
    ['from', short(paper.sender), from],
    ['to', short(paper.receiver), to],
  ] as const) {
    const inner = inset(area, 2.2, 1.4)
    draw.text(
      [{ text: form.t(caption), size: 6.5, weight: 'bold', colour: grey }],
      { ...inner, height: 3.4 },
      { oneLine: true },
    )
    draw.text(
      [
        { text: party.name, size: 9 },
        { text: party.country.toUpperCase(), size: 10, weight: 'bold' },
      ],
      { ...inner, y: inner.y + 3.6, height: inner.height - 3.6 },
      { leading: 1.2 },
    )
  }
  draw.rule(to.x, to.y, to.height, 'down')
  draw.rule(box.x, route.y + route.height, box.width, 'across')
  form.categories(inset({ ...box, y: route.y + route.height, height: 13 }, 2.2, 1), 3, 7.2)

  const table: Column[] = [
    { width: box.width - 14 - 20 - 24, align: 'left' },
    { width: 14, align: 'right', oneLine: true },
    { width: 20, align: 'right', oneLine: true },
    { width: 24, align: 'right', oneLine: true },
  ]
  let y = route.y + route.height + 13
  draw.rule(box.x, y, box.width, 'across')
  const heading = headingRow(
    form,
    table,
    [form.t('contents'), form.t('quantity'), form.t('netWeight'), form.t('value', { currency: paper.currency })],
    box.x,
    6.5,
  )
  draw.block({ x: box.x + line / 2, y: y + line / 2, width: box.width - line, height: heading.height }, shade)
  for (const mark of heading.at(y)) draw.add(mark)
  y += heading.height
  const foot = 47
  const room = box.y + box.height - foot - y
  const cells = (each: CustomsPaper['lines'][number]) => [
    [each.description, [each.hsCode && `HS ${each.hsCode}`, each.origin].filter(Boolean).join(' · ')].join('\n'),
    String(each.quantity),
    form.weight(each.netWeightGrams),
    form.money(each.valueMinor),
  ]
  const size = paper.lines.length > 3 ? 6.4 : 7.8
  for (const row of customsRows(form, table, box.x, size, cells, room / Math.max(1, paper.lines.length))) {
    for (const mark of row.at(y)) draw.add(mark)
    y += row.height
    draw.rule(box.x, y, box.width, 'across', grey)
  }
  const sums = { ...box, y: box.y + box.height - foot, height: 8 }
  draw.rule(box.x, sums.y, box.width, 'across')
  const [weight, value] = columns(inset(sums, 2.2, 0), 46) as [Box, Box]
  draw.text(
    [{ text: `${form.t('grossWeight')}  ${form.weight(paper.grossWeightGrams)}`, size: 8.5, weight: 'bold' }],
    weight,
    { valign: 'middle', oneLine: true },
  )
  draw.text(
    [{ text: `${form.t('total')}  ${paper.currency} ${form.money(paper.totalMinor)}`, size: 9.5, weight: 'bold' }],
    value,
    {
      align: 'right',
      valign: 'middle',
      oneLine: true,
    },
  )
  draw.rule(box.x, sums.y + sums.height, box.width, 'across')
  form.signature(inset({ ...box, y: sums.y + sums.height + 1, height: 21 }, 2.2, 0.6), 6.6)
  draw.rule(box.x, sums.y + sums.height + 22.5, box.width, 'across')
  form.barcode({ x: box.x + 2, y: sums.y + sums.height + 24, width: box.width - 4, height: 14 })
  return draw.marks
}
