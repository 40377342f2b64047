import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { previewNotes } from '@waybill/contract/parcels/labels'
import classes from './print-notes.module.css'

type Sheet = ResponseOf<typeof previewNotes>

/**
 * A sheet as drawn by the server, in real millimetres. It scrolls in its frame; on a phone it is as wide as the frame.
 */
export function NotePreview({ sheet, label }: { sheet: Sheet; label: string }) {
  const { widthMm, heightMm, shapes } = sheet
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable with the keyboard
    <section className={classes.preview} aria-label={label} tabIndex={0}>
      <svg
        role="img"
        aria-label={label}
        className={classes.sheet}
        width={`${widthMm}mm`}
        height={`${heightMm}mm`}
        viewBox={`0 0 ${widthMm} ${heightMm}`}
      >
        <rect width={widthMm} height={heightMm} fill="#fff" />
        {shapes.map((shape, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a drawing is always replaced as a whole
          <Shape key={index} shape={shape} />
        ))}
      </svg>
    </section>
  )
}

function Shape({ shape }: { shape: Sheet['shapes'][number] }) {
  switch (shape.kind) {
    case 'text':
      return (
        <text
          x={shape.x}
          y={shape.y}
          fontSize={shape.size}
          fontWeight={shape.bold ? 700 : 400}
          fill={shape.colour}
          textLength={shape.width || undefined}
          lengthAdjust="spacingAndGlyphs"
        >
          {shape.text}
        </text>
      )
    case 'path':
      return <path d={shape.d} fill={shape.colour} shapeRendering="crispEdges" />
    case 'frame':
      return (
        <rect
          x={shape.x}
          y={shape.y}
          width={shape.width}
          height={shape.height}
          fill="none"
          stroke="#000"
          strokeWidth={shape.line}
        />
      )
    case 'image':
      return (
        <image
          href={shape.href}
          x={shape.x}
          y={shape.y}
          width={shape.width}
          height={shape.height}
          preserveAspectRatio="xMinYMid meet"
        />
      )
  }
}
