// Drawings as shapes for a preview on a screen.
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { previewNotes } from '@waybill/contract/parcels/labels'
import { type Mark, mmPerPoint } from '../../../lib/print/marks.ts'

type Shapes = ResponseOf<typeof previewNotes>['shapes']

const fine = (value: number) => Math.round(value * 1000) / 1000

/** Converts rectangles in units of a symbol to one SVG path in millimetres. */
function buildPath(
  rects: readonly { x: number; y: number; width: number; height: number }[],
  at: { x: number; y: number },
  unit: { x: number; y: number },
): string {
  return rects
    .map(({ x, y, width, height }) => {
      const [across, down] = [fine(width * unit.x), fine(height * unit.y)]
      return `M${fine(at.x + x * unit.x)} ${fine(at.y + y * unit.y)}h${across}v${down}h${-across}z`
    })
    .join('')
}

/** Converts marks to shapes in millimetres: text with its measured width, everything else as SVG paths. */
export function presentShapes(marks: Iterable<Mark>): Shapes {
  return [...marks].map(toShape)
}

function toShape(mark: Mark): Shapes[number] {
  switch (mark.kind) {
    case 'text':
      return {
        kind: 'text',
        text: mark.text,
        x: fine(mark.x),
        y: fine(mark.baseline),
        width: fine(mark.width),
        size: fine(mark.size * mmPerPoint),
        bold: mark.weight === 'bold',
        colour: `#${mark.colour}`,
      }
    case 'rect':
      return { kind: 'path', d: buildPath([{ ...mark, x: 0, y: 0 }], mark, { x: 1, y: 1 }), colour: `#${mark.colour}` }
    case 'frame': {
      const { x, y, width, height, line } = mark
      return { kind: 'frame', x, y, width, height, line }
    }
    case 'code128': {
      const bars = mark.symbol.bars.map((bar) => ({ ...bar, y: 0, height: 1 }))
      return { kind: 'path', d: buildPath(bars, mark, { x: mark.module, y: mark.height }), colour: '#000000' }
    }
    case 'qr': {
      const unit = mark.size / mark.symbol.modules
      return { kind: 'path', d: buildPath(mark.symbol.runs, mark, { x: unit, y: unit }), colour: '#000000' }
    }
    case 'image': {
      const { x, y, width, height, data } = mark
      const href = `data:image/png;base64,${Buffer.from(data).toString('base64')}`
      return { kind: 'image', x, y, width, height, href }
    }
  }
}
