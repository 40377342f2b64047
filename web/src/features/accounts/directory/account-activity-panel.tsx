import type { AccountDetail } from '@waybill/contract/accounts/directory'
import { staffAccountActivity } from '@waybill/contract/logs/account-activity'
import type { LogSubject } from '@waybill/contract/logs/logs'
import { useState } from 'react'
import { TextLink } from '../../../components/buttons/link.tsx'
import { StaffParcelLink } from '../../../components/buttons/staff-parcel-link.tsx'
import { Panel } from '../../../components/layout/boxes.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'
import { useActionAuthor } from '../shared/action-author.ts'
import { ActivityEntries, type Cursor } from '../shared/activity-entries.tsx'
import { OwnerLink } from './owner-link.tsx'

const pageSize = 10

/** The activity of an account, by its users and by staff, with links to the records that it is about. */
export function AccountActivityPanel({ account }: { account: AccountDetail }) {
  const t = useT()
  const author = useActionAuthor()
  const [cursor, setCursor] = useState<Cursor>({})
  const query = { ...cursor, limit: pageSize }
  const activity = useCall(staffAccountActivity, { params: { id: account.id }, query }, { keepPrevious: true })
  return (
    <Panel title={t('logsPage.ownTitle')}>
      <ActivityEntries
        page={activity.data}
        by={(entry) => (
          <>
            {entry.about && (
              <>
                <AboutLink account={account} about={entry.about} />
                {' · '}
              </>
            )}
            {author(entry)}
          </>
        )}
        onTurn={setCursor}
      />
    </Panel>
  )
}

/** Parcels and gunnies have pages for staff; an order, and a parcel without a number, open in a view as the owner. */
function AboutLink({ account, about }: { account: AccountDetail; about: LogSubject }) {
  const t = useT()
  const format = useFormat()
  const mayOperate = useMay('staff.operate')
  const { kind, id, number, reference } = about
  if (kind === 'parcel' && number !== null) return <StaffParcelLink number={number} />
  if (kind === 'gunny') {
    const name = format.trackingNumber(number ?? '')
    if (!mayOperate) return name
    return (
      <TextLink to="/staff/gunny" search={{ no: number ?? '' }}>
        {name}
      </TextLink>
    )
  }
  return (
    <OwnerLink account={account} path={kind === 'order' ? `/orders/${id}` : `/parcels/${id}`}>
      {number ?? reference ?? t('accountPage.noNumber')}
    </OwnerLink>
  )
}
