import type { ReactNode } from 'react'
import { Fact, Facts } from '../layout/facts.tsx'
import { Quiet } from '../layout/text.tsx'
import classes from './amount-lines.module.css'

type Line = { key: string; label: string; detail?: ReactNode; amount: string }

/** Amounts with their total, right-aligned. */
export function AmountLines({ lines, total }: { lines: readonly Line[]; total: Omit<Line, 'key'> }) {
  return (
    <Facts className={classes.lines}>
      {[...lines, { key: 'total', ...total }].map(({ key, label, detail, amount }) => (
        <Fact key={key} total={key === 'total'} label={<Name label={label} detail={detail} />}>
          {amount}
        </Fact>
      ))}
    </Facts>
  )
}

function Name({ label, detail }: Pick<Line, 'label' | 'detail'>) {
  return (
    <>
      {label}
      {detail && <Quiet>{detail}</Quiet>}
    </>
  )
}
