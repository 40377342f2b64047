import { IconAlertTriangle } from '@tabler/icons-react'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { Notice } from '../../components/layout/text.tsx'
import { useT } from '../../lib/i18n.ts'
import classes from './layout.module.css'

/** Shown on every page while the account, or the member, is suspended: what is still possible, and who can end it. */
export function SuspendedBanner({ who }: { who: 'account' | 'member' }) {
  const t = useT()
  return (
    <Notice as="aside" tone="warning" className={classes.suspended} aria-label={t('suspendedBanner.label')}>
      <IconAlertTriangle size={20} stroke={1.75} aria-hidden />
      <span>{t(`suspendedBanner.${who}`)}</span>
      {who === 'account' && <ButtonLink to="/tickets">{t('suspendedBanner.write')}</ButtonLink>}
    </Notice>
  )
}
