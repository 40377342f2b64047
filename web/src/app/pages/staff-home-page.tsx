import { Link, Navigate } from '@tanstack/react-router'
import { Loading } from '../../components/feedback/loading.tsx'
import { MessagePanel } from '../../components/feedback/message-panel.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { useSetupOpen } from '../../features/setup/shared/use-setup-open.ts'
import { useT } from '../../lib/i18n.ts'
import { useSession } from '../../lib/session.ts'
import classes from '../layouts/layout.module.css'
import { visibleNav } from '../nav/nav.ts'
import { staffNav } from '../nav/staff-nav.ts'
import { WaitingCount } from './waiting-count.tsx'

/**
 * The home page of staff: the tasks that this role may do, grouped as in the navigation, and how much waits there.
 * While the setup is incomplete, staff who can complete it are redirected there.
 */
export function StaffHomePage() {
  const t = useT()
  const name = useSession((state) => state.auth.user?.name ?? '')
  const permissions = useSession((state) => state.auth.permissions)
  const groups = visibleNav(staffNav, { permissions })
  const setupOpen = useSetupOpen()
  if (setupOpen === undefined) return <Loading />
  if (setupOpen) return <Navigate to="/staff/setup" replace />
  return (
    <>
      <PageHeader title={t('nav.staffHome')} description={name} />
      {permissions.length > 0 && groups.length === 0 && (
        <MessagePanel kind="forbidden" title={t('nav.noScreens')} text={t('nav.noScreensText')} />
      )}
      {groups.map((group) => (
        <section key={group.label} className={classes.work} aria-labelledby={`work-${group.label}`}>
          <h2 id={`work-${group.label}`}>{t(`nav.groups.${group.label}`)}</h2>
          <ul className={classes.tiles}>
            {group.items.map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <Link to={to} className={classes.tile}>
                  <Icon size={28} stroke={1.5} aria-hidden />
                  <span>{t(`nav.${label}`)}</span>
                  <WaitingCount to={to} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
