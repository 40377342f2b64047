// The layout of a CN23 on A4. Pure.
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { columns, inset } from '../../../lib/print/drawing.ts'
import type { FontSet } from '../../../lib/print/fonts.ts'
import type { Box, Mark } from '../../../lib/print/marks.ts'
import { type Column, dealRows } from '../../../lib/print/table.ts'
import {
  a4,
  type CustomsLanguage,
  type CustomsPaper,
  customsRows,
  Form,
  grey,
  headingRow,
  shade,
} from './layout-form.ts'

const margin = 12
const width = a4.width - 2 * margin

/** The pages of a CN23, with totals and signature on the last. */
export function layoutCn23(fonts: FontSet, paper: CustomsPaper, language: CustomsLanguage): Mark[][] {
  const first = new Form(fonts, paper, language)
  const table: Column[] = [
    { width: 8, align: 'left', oneLine: true },
    { width: width - 8 - 16 - 24 - 30 - 26 - 32, align: 'left' },
    { width: 16, align: 'right', oneLine: true },
    { width: 24, align: 'right', oneLine: true },
    { width: 30, align: 'right', oneLine: true },
    { width: 26, align: 'left', oneLine: true },
    { width: 32, align: 'left' },
  ]
  const words = [
    '',
    first.t('contents'),
    first.t('quantity'),
    first.t('netWeight'),
    first.t('value', { currency: paper.currency }),
    first.t('hsCode'),
    first.t('origin'),
  ]
  const heading = headingRow(first, table, words, margin, 8)
  const top = (page: number) => (page === 0 ? 108 : 30)
  const closing = 82
  const bottom = a4.height - margin
  let number = 0
  const rows = customsRows(
    first,
    table,
    margin,
    9,
    (each) => {
      number += 1
      return [
        String(number),
        each.description,
        String(each.quantity),
        first.weight(each.netWeightGrams),
        first.money(each.valueMinor),
        each.hsCode ?? '–',
        each.origin,
      ]
    },
    60,
  )
  const dealt = dealRows(rows, (page) => ({ top: top(page) + heading.height, bottom }), closing)
  return dealt.map((placed, page) => {
    const form = new Form(fonts, paper, language)
    const { draw } = form
    head(form, page, dealt.length)
    if (page === 0) parties(form)
    draw.block({ x: margin, y: top(page), width, height: heading.height }, shade)
    for (const mark of heading.at(top(page))) draw.add(mark)
    draw.rule(margin, top(page), width, 'across')
    for (const { row, y } of placed) {
      draw.rule(margin, y, width, 'across', grey)
      for (const mark of row.at(y)) draw.add(mark)
    }
    const end = placed.at(-1)
    const y = end ? end.y + end.row.height : top(page) + heading.height
    draw.rule(margin, y, width, 'across')
    if (page === dealt.length - 1) close(form, { x: margin, y, width, height: closing })
    return draw.marks
  })
}

function head(form: Form, page: number, pages: number): void {
  const { draw, paper } = form
  const [title, code] = columns({ x: margin, y: margin, width, height: 14 }, 120) as [Box, Box]
  draw.text(
    [
      { text: form.t('title'), size: 17, weight: 'bold' },
      { text: `${paper.companyName}  ·  ${form.t('official')}`, size: 8.5, colour: grey },
    ],
    title,
    { valign: 'middle', leading: 1.2 },
  )
  draw.text([{ text: 'CN 23', size: 26, weight: 'bold' }], code, { align: 'right', valign: 'middle', oneLine: true })
  if (pages > 1) {
    draw.text(
      [
        {
          text: `${groupTrackingNumber(paper.trackingNumber)}  ·  ${form.t('page', { page: page + 1, pages })}`,
          size: 7.5,
          colour: grey,
        },
      ],
      { x: margin, y: a4.height - margin + 1, width, height: 5 },
      { align: 'right', oneLine: true },
    )
  }
}

function parties(form: Form): void {
  const { draw, paper } = form
  const box = { x: margin, y: 30, width, height: 50 }
  const [left, right] = columns(box, width / 2) as [Box, Box]
  form.frame(box)
  draw.rule(right.x, right.y, right.height, 'down')
  form.party(form.t('sender'), paper.sender, left, 10)
  form.party(form.t('addressee'), paper.receiver, right, 10)
  const numbers = { x: margin, y: 80, width, height: 26 }
  form.frame(numbers)
  const [bars, facts] = columns(numbers, 96) as [Box, Box]
  form.barcode({ ...inset(bars, 2, 3) })
  draw.rule(facts.x, facts.y, facts.height, 'down')
  const captions: [string, string | null][] = [
    ['reference', paper.reference],
    ['invoice', paper.invoiceNumber],
    ['licence', paper.licenceNumber],
    ['certificate', paper.certificateNumber],
  ]
  const area = inset(facts, 2, 1.5)
  captions.forEach(([caption, value], index) => {
    const cell = {
      x: area.x + (index % 2) * (area.width / 2),
      y: area.y + Math.floor(index / 2) * (area.height / 2),
      width: area.width / 2 - 2,
      height: area.height / 2,
    }
    draw.captioned({ caption: form.t(caption), value: value ?? '–' }, cell, 9.5, { weight: 'bold' })
  })
}

function close(form: Form, box: Box): void {
  const { draw, paper } = form
  const sums = { ...box, y: box.y, height: 10 }
  const [weight, value] = columns(inset(sums, 2, 0), width / 2) as [Box, Box]
  draw.text(
    [{ text: `${form.t('grossWeight')}   ${form.weight(paper.grossWeightGrams)}`, size: 11, weight: 'bold' }],
    weight,
    { valign: 'middle' },
  )
  draw.text(
    [{ text: `${form.t('total')}   ${paper.currency} ${form.money(paper.totalMinor)}`, size: 12.5, weight: 'bold' }],
    value,
    {
      align: 'right',
      valign: 'middle',
    },
  )
  const category = { ...box, y: box.y + 14, height: 20 }
  draw.text(
    [{ text: form.t('category'), size: 8, weight: 'bold', colour: grey }],
    { ...category, height: 4 },
    { oneLine: true },
  )
  form.categories({ ...category, y: category.y + 5, height: 14 }, 3, 9.5)
  const below = { ...box, y: box.y + 38, height: box.height - 40 }
  const [comments, sign] = columns(below, 84) as [Box, Box]
  form.frame(below)
  draw.rule(sign.x, sign.y, sign.height, 'down')
  draw.captioned({ caption: form.t('comments'), value: paper.comments ?? '–' }, inset(comments, 2, 2), 9.5)
  form.signature(inset(sign, 2.5, 2.5), 8.5)
}
