import { Button, Input } from '@mantine/core'
import { type PointerEvent, useRef, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import classes from './signature-pad.module.css'

const width = 600
const height = 200

type Props = {
  label: string
  /** An SVG path in a 600 x 200 box, only M, L and whole numbers; empty if nothing is drawn. */
  value: string
  onChange: (path: string) => void
  error?: string | undefined
  required?: boolean
}

/** A field for a signature by finger, pen or mouse. */
export function SignaturePad({ label, value, onChange, error, required = false }: Props) {
  const t = useT()
  const box = useRef<SVGSVGElement>(null)
  const [drawing, setDrawing] = useState(false)

  function formatPoint(event: PointerEvent): string {
    const bounds = box.current?.getBoundingClientRect()
    if (!bounds) return '0,0'
    const x = Math.round(((event.clientX - bounds.left) / bounds.width) * width)
    const y = Math.round(((event.clientY - bounds.top) / bounds.height) * height)
    return `${Math.min(width, Math.max(0, x))},${Math.min(height, Math.max(0, y))}`
  }

  return (
    <Input.Wrapper label={label} labelElement="div" error={error} required={required}>
      <div className={classes.frame}>
        <svg
          ref={box}
          className={classes.pad}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={value ? t('signature.drawn') : t('signature.empty')}
          // The form moves the focus here if the signature is missing.
          tabIndex={-1}
          aria-invalid={error !== undefined}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            setDrawing(true)
            onChange(`${value}M${formatPoint(event)}`)
          }}
          onPointerMove={(event) => {
            if (drawing) onChange(`${value}L${formatPoint(event)}`)
          }}
          onPointerUp={() => setDrawing(false)}
          onPointerCancel={() => setDrawing(false)}
        >
          <path d={value} />
        </svg>
        {value !== '' && (
          <Button className={classes.clear} size="compact-sm" onClick={() => onChange('')}>
            {t('actions.clear')}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  )
}
