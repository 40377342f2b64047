import { Button } from '@mantine/core'
import { type LogLevel, logLevelLabels } from '@waybill/contract/ground/enums/enums'
import type { ReactNode } from 'react'
import { Time } from '../../../components/display/time.tsx'
import { Buttons, LineList } from '../../../components/layout/boxes.tsx'
import { Note, Quiet, Tag } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'

export type Cursor = { after?: string; before?: string }
type Entry = { id: string; action: string; level: LogLevel; at: string }
type Props<E extends Entry> = {
  /** A page of the log; undefined while it loads. */
  page: { items: readonly E[]; next: string | null; previous: string | null } | undefined
  /** Shown after the time: the author. */
  by?: (entry: E) => ReactNode
  onTurn: (cursor: Cursor) => void
}

const notable = new Set<LogLevel>(['WARNING', 'ERROR', 'CRITICAL', 'ALERT', 'EMERGENCY'])

/** Entries of the activity log, newest first, in pages. */
export function ActivityEntries<E extends Entry>({ page, by, onTurn }: Props<E>) {
  const t = useT()
  const label = useLabel()
  const { items = [], next = null, previous = null } = page ?? {}
  return (
    <>
      {items.length === 0 ? (
        <Note>{t(page ? 'usersPage.noActivity' : 'list.loading')}</Note>
      ) : (
        <LineList>
          {items.map((entry) => (
            <li key={entry.id}>
              <span>
                {t(`action.${entry.action}`, { defaultValue: entry.action })}
                {notable.has(entry.level) && <Tag tone="warning">{label(logLevelLabels, entry.level)}</Tag>}
                {by && <Quiet>{by(entry)}</Quiet>}
              </span>
              <Quiet>
                <Time at={entry.at} />
              </Quiet>
            </li>
          ))}
        </LineList>
      )}
      {(next || previous) && (
        <Buttons>
          <Button size="sm" disabled={!previous} onClick={() => previous && onTurn({ before: previous })}>
            {t('teamPage.newer')}
          </Button>
          <Button size="sm" disabled={!next} onClick={() => next && onTurn({ after: next })}>
            {t('teamPage.older')}
          </Button>
        </Buttons>
      )}
    </>
  )
}
