import { Button } from '@mantine/core'
import { colleagueActivity } from '@waybill/contract/accounts/team'
import { logLevelLabels } from '@waybill/contract/ground/enums'
import { useState } from 'react'
import { Time } from '../../../components/display/time.tsx'
import { Buttons, LineList, Stack } from '../../../components/layout/boxes.tsx'
import { Note, Quiet, Tag } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'

const pageSize = 8
const notable = new Set(['WARNING', 'ERROR', 'CRITICAL', 'ALERT', 'EMERGENCY'])

/** What a member of staff did, newest first, in pages. */
export function ColleagueActivity({ id }: { id: string }) {
  const t = useT()
  const label = useLabel()
  const [cursor, setCursor] = useState<{ after?: string; before?: string }>({})
  const query = { ...cursor, limit: pageSize }
  const activity = useCall(colleagueActivity, { params: { id }, query }, { keepPrevious: true })
  const { items = [], next = null, previous = null } = activity.data ?? {}
  return (
    <Stack as="section" gap={8} aria-labelledby="colleague-activity">
      <h3 id="colleague-activity">{t('teamPage.activity')}</h3>
      {items.length === 0 ? (
        <Note>{t(activity.isPending ? 'list.loading' : 'usersPage.noActivity')}</Note>
      ) : (
        <LineList>
          {items.map((each) => (
            <li key={each.id}>
              <span>
                {t(`action.${each.action}`, { defaultValue: each.action })}
                {notable.has(each.level) && <Tag tone="warning">{label(logLevelLabels, each.level)}</Tag>}
              </span>
              <Quiet>
                <Time at={each.at} />
              </Quiet>
            </li>
          ))}
        </LineList>
      )}
      {(next || previous) && (
        <Buttons>
          <Button size="sm" disabled={!previous} onClick={() => previous && setCursor({ before: previous })}>
            {t('teamPage.newer')}
          </Button>
          <Button size="sm" disabled={!next} onClick={() => next && setCursor({ after: next })}>
            {t('teamPage.older')}
          </Button>
        </Buttons>
      )}
    </Stack>
  )
}
