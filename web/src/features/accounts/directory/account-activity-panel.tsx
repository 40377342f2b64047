import { staffAccountActivity } from '@waybill/contract/accounts/directory'
import { useState } from 'react'
import { Panel } from '../../../components/layout/boxes.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useActionAuthor } from '../shared/action-author.ts'
import { ActivityEntries, type Cursor } from '../shared/activity-entries.tsx'

const pageSize = 10

/** The activity of an account, by its users and by staff. */
export function AccountActivityPanel({ id }: { id: string }) {
  const t = useT()
  const author = useActionAuthor()
  const [cursor, setCursor] = useState<Cursor>({})
  const query = { ...cursor, limit: pageSize }
  const activity = useCall(staffAccountActivity, { params: { id }, query }, { keepPrevious: true })
  return (
    <Panel title={t('logsPage.ownTitle')}>
      <ActivityEntries page={activity.data} by={author} onTurn={setCursor} />
    </Panel>
  )
}
