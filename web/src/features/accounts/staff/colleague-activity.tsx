import { colleagueActivity } from '@waybill/contract/accounts/team'
import { useState } from 'react'
import { Stack } from '../../../components/layout/boxes.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { ActivityEntries, type Cursor } from '../shared/activity-entries.tsx'

const pageSize = 8

/** The activity of a member of staff, newest first, in pages. */
export function ColleagueActivity({ id }: { id: string }) {
  const t = useT()
  const [cursor, setCursor] = useState<Cursor>({})
  const query = { ...cursor, limit: pageSize }
  const activity = useCall(colleagueActivity, { params: { id }, query }, { keepPrevious: true })
  return (
    <Stack as="section" gap={8} aria-labelledby="colleague-activity">
      <h3 id="colleague-activity">{t('teamPage.activity')}</h3>
      <ActivityEntries page={activity.data} onTurn={setCursor} />
    </Stack>
  )
}
