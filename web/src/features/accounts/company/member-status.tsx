import { type AccountStatus, accountStatusLabels } from '@waybill/contract/ground/enums/enums'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { memberLooks } from './member-looks.ts'

/** The status of a user. Someone who has not accepted the invitation yet is shown as invited, not as active. */
export function MemberStatus({ status, invited }: { status: AccountStatus; invited: boolean }) {
  const t = useT()
  const label = useLabel()
  return invited && status === 'active' ? (
    <StatusPill look={{ tone: 'waiting', icon: 'clock' }} label={t('usersPage.invited')} />
  ) : (
    <StatusPill look={memberLooks[status]} label={label(accountStatusLabels, status)} />
  )
}
