import type { ReactNode } from 'react'
import classes from './amount-lines.module.css'

type Line = { key: string; label: string; detail?: ReactNode; amount: string }

/** Amounts line by line with their sum: the figures stand under each other at the right. */
export function AmountLines({ lines, total }: { lines: readonly Line[]; total: Omit<Line, 'key'> }) {
  return (
    <dl className={classes.root}>
      {lines.map(({ key, label, detail, amount }) => (
        <div key={key} className={classes.line}>
          <dt>
            {label}
            {detail && <span className={classes.detail}>{detail}</span>}
          </dt>
          <dd>{amount}</dd>
        </div>
      ))}
      <div className={classes.total}>
        <dt>
          {total.label}
          {total.detail && <span className={classes.detail}>{total.detail}</span>}
        </dt>
        <dd>{total.amount}</dd>
      </div>
    </dl>
  )
}
