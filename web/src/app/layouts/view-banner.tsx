import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { logout } from '@waybill/contract/accounts/sign-in'
import { useSend } from '../../components/feedback/use-send.ts'
import { Notice } from '../../components/layout/text.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { clearSession } from '../../lib/session.ts'
import type { View } from '../../lib/view.ts'
import classes from './layout.module.css'

/** Shown on every page of a view by staff: the viewed account, the viewer, the expiry, and a button to leave. */
export function ViewBanner({ view }: { view: View }) {
  const t = useT()
  const format = useFormat()
  const end = useSend(() => call(logout), { onSuccess: clearSession })
  return (
    <Notice as="aside" tone="warning" className={classes.view} aria-label={t('viewBanner.label')}>
      <IconEye size={20} stroke={1.75} aria-hidden />
      <span>
        <strong>{t('viewBanner.whose', { account: view.accountName })}</strong>{' '}
        {t('viewBanner.who', { staff: view.staffName, until: format.dateTime(view.expiresAt) })}
      </span>
      <Button size="sm" loading={end.pending} onClick={() => void end.send()}>
        {t('viewBanner.end')}
      </Button>
    </Notice>
  )
}
