import { ownAccountActivity } from '@waybill/contract/accounts/directory'
import { useState } from 'react'
import { Panel, Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useActionAuthor } from '../shared/action-author.ts'
import { ActivityEntries, type Cursor } from '../shared/activity-entries.tsx'

const pageSize = 10

/** The activity in the user's account, by its users and by staff, including when staff viewed it. */
export function AccountActivitySection() {
  const t = useT()
  const author = useActionAuthor()
  const [cursor, setCursor] = useState<Cursor>({})
  const activity = useCall(ownAccountActivity, { query: { ...cursor, limit: pageSize } }, { keepPrevious: true })
  return (
    <Panel style={{ maxWidth: 800 }} title={t('profile.activity')}>
      <Stack gap={8}>
        <Note>{t('profile.activityLead')}</Note>
        <ActivityEntries page={activity.data} by={author} onTurn={setCursor} />
      </Stack>
    </Panel>
  )
}
