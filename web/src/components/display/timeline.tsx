import type { Tone } from '@waybill/contract/ground/status/status-look'
import type { ReactNode } from 'react'
import classes from './timeline.module.css'

export type TimelineEntry = {
  key: string
  title: string
  /** Below the title: a place, a remark, photos. */
  detail?: ReactNode
  /** The formatted time; `dateTime` is the ISO value for the `<time>` element. */
  when: string
  dateTime: string
  tone: Tone
}

/** Events, newest first; the newest is coloured by its tone. */
export function Timeline({ entries, label }: { entries: readonly TimelineEntry[]; label: string }) {
  return (
    <ol className={classes.root} aria-label={label}>
      {entries.map(({ key, title, detail, when, dateTime, tone }) => (
        <li key={key} className={classes.entry} data-tone={tone}>
          <span className={classes.title}>{title}</span>
          {detail && <div className={classes.detail}>{detail}</div>}
          <time className={classes.when} dateTime={dateTime}>
            {when}
          </time>
        </li>
      ))}
    </ol>
  )
}
