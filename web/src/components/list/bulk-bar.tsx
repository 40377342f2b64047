import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n.ts'
import { useSend } from '../feedback/use-send.ts'
import { Buttons } from '../layout/boxes.tsx'
import classes from './data-list.module.css'

export type BulkAction<R> = {
  label: string
  icon?: ReactNode
  /** Runs with the selected rows and clears the selection afterwards, unless it returns false. An error is shown. */
  run: (rows: readonly R[]) => unknown
  /** Whether the action is possible for these rows; always possible by default. */
  enabled?: (rows: readonly R[]) => boolean
}

/** The actions for the selected rows; sticky while the list scrolls. */
export function BulkBar<R>({
  actions,
  rows,
  clear,
}: {
  actions: readonly BulkAction<R>[]
  rows: readonly R[]
  clear: () => void
}) {
  const t = useT()
  const action = useSend(async (bulkAction: BulkAction<R>) => {
    if ((await bulkAction.run(rows)) !== false) clear()
  })
  return (
    <section className={classes.bulk} data-foot aria-label={t('list.bulk')}>
      <span role="status">{t('list.selected', { count: rows.length })}</span>
      <Buttons>
        {actions.map((each) => (
          <Button
            key={each.label}
            size="sm"
            leftSection={each.icon}
            disabled={action.pending || each.enabled?.(rows) === false}
            onClick={() => void action.send(each)}
          >
            {each.label}
          </Button>
        ))}
        <Button size="sm" variant="subtle" color="gray" onClick={clear}>
          {t('list.unselect')}
        </Button>
      </Buttons>
    </section>
  )
}
