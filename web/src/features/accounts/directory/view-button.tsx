import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { type AccountDetail, viewAccount } from '@waybill/contract/accounts/directory'
import { getProfile, type SessionUser } from '@waybill/contract/accounts/sign-in'
import { useSend } from '../../../components/feedback/use-send.ts'
import { attempt, call, readError } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { startView } from '../../../lib/view.ts'

/** Opens a path in a view as the owner of the account, in this tab. Asks first, because it is logged. */
export function useOpenView({ id, name }: Pick<AccountDetail, 'id' | 'name'>) {
  const t = useT()
  return useSend(
    async (path: string) => {
      const { token, ...view } = await call(viewAccount, { params: { id } })
      const response = await attempt(getProfile, {}, token)
      if (!response.ok) throw await readError(response)
      const user = (await response.json()) as SessionUser
      startView({ token, ...view, accountId: id, user }, path)
    },
    {
      confirm: {
        title: t('accountPage.viewTitle', { name }),
        message: t('accountPage.viewText'),
        action: t('accountPage.view'),
      },
    },
  )
}

/** Opens the portal as the owner of the account sees it, read-only. */
export function ViewButton({ account }: { account: AccountDetail }) {
  const t = useT()
  const open = useOpenView(account)
  if (!account.viewable) return null
  return (
    <Button
      leftSection={<IconEye size={18} aria-hidden />}
      loading={open.pending}
      onClick={() => void open.send('/dashboard')}
    >
      {t('accountPage.view')}
    </Button>
  )
}
