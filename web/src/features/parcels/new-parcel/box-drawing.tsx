import type { Dimensions } from '@waybill/contract/ground/measures'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from './new-parcel.module.css'

const width = 220
const height = 168
const margin = 30
/** Leaves room for the height's label. */
const sideMargin = 46
const slope = Math.PI / 6

type Point = readonly [x: number, y: number]

const line = { stroke: 'var(--wb-border-strong)', strokeWidth: 1.25, strokeLinejoin: 'round' } as const

/** A drawing of the parcel in proportion; an envelope for a document. The text names the sides as well. */
export function BoxDrawing({ size, isDocument }: { size: Dimensions | null; isDocument: boolean }) {
  const t = useT()
  const format = useFormat()
  if (isDocument) return <Envelope label={t('newParcel.drawingDocument')} />
  const sides = size ?? { lengthMm: 300, widthMm: 200, heightMm: 150 }
  const { top, left, right, corners } = project(sides)
  return (
    <svg
      className={classes.drawing}
      data-empty={size === null}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={size ? t('newParcel.drawing', { size: format.dimensions(size) }) : t('newParcel.drawingEmpty')}
    >
      <polygon fill="var(--wb-surface)" {...line} points={formatPoints(top)} />
      <polygon fill="var(--wb-neutral-ground)" {...line} points={formatPoints(left)} />
      <polygon fill="var(--wb-border)" {...line} points={formatPoints(right)} />
      {size && (
        <g fill="var(--wb-text)" fontSize={12}>
          <text x={corners.left[0] - 4} y={corners.left[1] + 16} textAnchor="end" dy="2">
            {format.length(size.lengthMm)}
          </text>
          <text x={corners.right[0] + 4} y={corners.right[1] + 16} textAnchor="start" dy="2">
            {format.length(size.widthMm)}
          </text>
          <text x={corners.edge[0] + 6} y={corners.edge[1] + 4} textAnchor="start">
            {format.length(size.heightMm)}
          </text>
        </g>
      )}
    </svg>
  )
}

function Envelope({ label }: { label: string }) {
  return (
    <svg className={classes.drawing} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <rect fill="var(--wb-surface)" {...line} x="45" y="44" width="130" height="84" rx="3" />
      <path d="M45 47 l65 46 l65 -46" fill="none" {...line} />
    </svg>
  )
}

/** The three visible faces in isometric projection, as large as the drawing allows. */
function project({ lengthMm, widthMm, heightMm }: Dimensions) {
  const flat = (x: number, y: number, z: number): Point => [(x - y) * Math.cos(slope), (x + y) * Math.sin(slope) - z]
  const all = [0, lengthMm].flatMap((x) => [0, widthMm].flatMap((y) => [0, heightMm].map((z) => flat(x, y, z))))
  const xs = all.map(([x]) => x)
  const ys = all.map(([, y]) => y)
  const [minX, maxX, minY, maxY] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const scale = Math.min((width - 2 * sideMargin) / (maxX - minX), (height - 2 * margin) / (maxY - minY))
  const at = (x: number, y: number, z: number): Point => {
    const [px, py] = flat(x, y, z)
    return [width / 2 + (px - (minX + maxX) / 2) * scale, height / 2 + (py - (minY + maxY) / 2) * scale]
  }
  const [l, w, h] = [lengthMm, widthMm, heightMm]
  const middle = (a: Point, b: Point): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
  return {
    top: [at(0, 0, h), at(l, 0, h), at(l, w, h), at(0, w, h)],
    left: [at(0, w, h), at(l, w, h), at(l, w, 0), at(0, w, 0)],
    right: [at(l, 0, h), at(l, w, h), at(l, w, 0), at(l, 0, 0)],
    corners: {
      // The bottom edges: the left one is the length, the right one the width.
      right: middle(at(l, w, 0), at(l, 0, 0)),
      left: middle(at(0, w, 0), at(l, w, 0)),
      edge: middle(at(l, 0, h), at(l, 0, 0)),
    },
  }
}

const formatPoints = (points: readonly Point[]) =>
  points.map((point) => point.map((n) => n.toFixed(1)).join(',')).join(' ')
