import type { AccountAction } from '@waybill/contract/logs/account-activity'
import { useT } from '../../../lib/i18n.ts'

/** The author of an action in an account: one of its users, staff, or the system. */
export function useActionAuthor() {
  const t = useT()
  return ({ by }: AccountAction) =>
    by === null ? t('accountPage.bySystem') : by.staff ? t('accountPage.byStaff', { name: by.name }) : by.name
}
