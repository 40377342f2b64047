import type { AccessRule } from '@waybill/contract/ground/access'
import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n.ts'
import { useSession } from '../../lib/session.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { MessagePanel } from './message-panel.tsx'

type Props = { rule: AccessRule; title: string; children?: ReactNode }

/**
 * A page for users with a permission. Other members see its title and whom to ask, instead of buttons that the server
 * would refuse. Owners have every permission of their kind of account.
 */
export function OnlyFor({ rule, title, children }: Props) {
  const t = useT()
  // Until the profile is loaded there are no permissions.
  const closed = useSession(
    ({ auth: { permissions, user } }) =>
      permissions.length > 0 && !permissions.includes(rule) && user?.account?.isOwner === false,
  )
  if (!closed) return children
  return (
    <>
      <PageHeader title={title} />
      <MessagePanel kind="forbidden" title={t('list.forbidden')} text={t('errors.forbidden')} />
    </>
  )
}
