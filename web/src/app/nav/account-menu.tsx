import { IconAdjustments, IconLogout, IconUser, IconUserCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { logout } from '@waybill/contract/accounts/sign-in'
import { useRef } from 'react'
import { Avatar } from '../../components/display/avatar.tsx'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { clearSession, useSession } from '../../lib/session.ts'
import classes from '../layouts/layout.module.css'

const panelId = 'account-panel'

/** The signed-in user, the profile, and signing out. A native popover: closes on Escape and on a click outside. */
export function AccountMenu() {
  const t = useT()
  const user = useSession((state) => state.auth.user)
  const photo = useSession((state) => state.auth.photo)
  const panel = useRef<HTMLDivElement>(null)

  async function leave() {
    panel.current?.hidePopover()
    if (user?.kind === 'staff') {
      const { mayLeaveScans } = await import('../../features/parcels/scan-queue/sign-out.ts')
      if (!(await mayLeaveScans(user.id))) return
    }
    // Signing out also works offline; the server's session then expires by itself.
    await call(logout).catch((error: unknown) => console.warn('The server did not get the sign-out.', error))
    clearSession()
  }

  return (
    <>
      <button type="button" className={classes.account} popoverTarget={panelId} aria-label={t('nav.account')}>
        {user ? (
          <Avatar name={user.name} photo={photo} size={28} />
        ) : (
          <IconUserCircle size={22} stroke={1.75} aria-hidden />
        )}
      </button>
      <div id={panelId} ref={panel} popover="auto" className={classes.panel}>
        <p className={classes.who}>
          {user?.account?.name ?? user?.name}
          <span>{user?.email}</span>
        </p>
        {user && (
          <Link
            to={user.kind === 'staff' ? '/staff/profile' : '/profile'}
            className={classes.item}
            onClick={() => panel.current?.hidePopover()}
          >
            <IconUser size={20} stroke={1.75} aria-hidden />
            {t('nav.profile')}
          </Link>
        )}
        {user && (
          <Link
            to={user.kind === 'staff' ? '/staff/preferences' : '/preferences'}
            className={classes.item}
            onClick={() => panel.current?.hidePopover()}
          >
            <IconAdjustments size={20} stroke={1.75} aria-hidden />
            {t('nav.preferences')}
          </Link>
        )}
        <button type="button" className={classes.item} onClick={() => void leave()}>
          <IconLogout size={20} stroke={1.75} aria-hidden />
          {t('auth.signOut')}
        </button>
      </div>
    </>
  )
}
