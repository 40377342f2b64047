import type { AccountDetail } from '@waybill/contract/accounts/directory'
import type { ReactNode } from 'react'
import { TextButton } from '../../../components/buttons/link.tsx'
import { useOpenView } from './view-button.tsx'

/** Opens a page of the portal in a view as the owner of the account; only its text if there is no owner to view as. */
export function OwnerLink({ account, path, children }: { account: AccountDetail; path: string; children: ReactNode }) {
  const open = useOpenView(account)
  if (!account.viewable) return children
  return (
    <TextButton disabled={open.pending} onClick={() => void open.send(path)}>
      {children}
    </TextButton>
  )
}
