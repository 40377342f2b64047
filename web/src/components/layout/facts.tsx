import type { ReactNode } from 'react'
import { type BoxProps, box, type Length, length } from './box.ts'
import classes from './layout.module.css'

type FactsProps = BoxProps & { layout?: 'lines' | 'tiles'; min?: Length }

/**
 * Names and values. `lines` puts the value at the end of the line, `tiles` below its name in columns of at least `min`
 * (default 180).
 */
export function Facts({ layout = 'lines', min, ...rest }: FactsProps) {
  return box(classes.facts, 'dl', { ...rest, 'data-layout': layout }, { '--min': length(min) })
}

type FactProps = { label: ReactNode; children: ReactNode; total?: boolean }

/** One name and its value, or nothing if there is no value; `total` marks the sum of those before it. */
export function Fact({ label, children, total }: FactProps) {
  // Also for `value && text` with a value of 0.
  if (!children) return null
  return (
    <div className={total ? classes.total : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
