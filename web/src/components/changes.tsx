import type { ReactNode } from 'react'
import { useT } from '../lib/i18n.ts'
import classes from './changes.module.css'
import { Time } from './time.tsx'

/** When something was changed, and by whom; `by` null: nobody's name is known. */
export function ChangedBy({ at, by }: { at: string; by: string | null }) {
  const t = useT()
  return (
    <span className={classes.by}>
      <Time at={at} /> · {by ?? t('changes.somebody')}
    </span>
  )
}

/** What is there for whoever opens it. */
export function Folded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={classes.folded}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}

/** The latest changes of a screen's subject, folded; nothing where there are none. */
export function Changes({ items }: { items: readonly { at: string; by: string | null; text: string }[] }) {
  const t = useT()
  if (items.length === 0) return null
  return (
    <Folded title={t('changes.latest')}>
      <ul className={classes.list}>
        {items.map(({ at, by, text }) => (
          <li key={`${at} ${text}`}>
            {text}
            <ChangedBy at={at} by={by} />
          </li>
        ))}
      </ul>
    </Folded>
  )
}
