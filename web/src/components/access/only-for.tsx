import type { AccessRule } from '@waybill/contract/ground/access'
import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n.ts'
import { useSession } from '../../lib/session.ts'
import { MessagePanel } from '../feedback/message-panel.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { useWhyClosed } from './why-closed.ts'

type Props = {
  rule: AccessRule
  title: string
  /** Individuals, who have the same permission for other pages, see the reason, too. */
  companyOnly?: boolean
  children?: ReactNode
}

/**
 * A page for users with a permission. Others see its title and the reason, instead of buttons that the server would
 * refuse.
 */
export function OnlyFor({ rule, title, companyOnly = rule.startsWith('corporate.'), children }: Props) {
  const t = useT()
  const permissions = useSession(({ auth }) => auth.permissions)
  const user = useSession(({ auth }) => auth.user)
  const why = useWhyClosed('errors.forbidden')
  const isIndividual = companyOnly && user?.account?.userType === 'customer'
  // Until the profile is loaded there are no permissions.
  if (!user?.account || permissions.length === 0 || (permissions.includes(rule) && !isIndividual)) return children
  return (
    <>
      <PageHeader title={title} />
      <MessagePanel kind="forbidden" title={t('list.forbidden')} text={t(isIndividual ? 'list.companiesOnly' : why)} />
    </>
  )
}
