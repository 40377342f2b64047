import { IconLogout, IconUser, IconUserCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { logout } from '@waybill/contract/accounts'
import { useRef } from 'react'
import { confirm } from '../components/confirm.tsx'
import { call } from '../lib/api.ts'
import { t, useT } from '../lib/i18n.ts'
import { clearSession, useSession } from '../lib/session.ts'
import classes from './layout.module.css'

const panelId = 'account-panel'

/** Asks whoever leaves scans behind that are not recorded; takes away the lines of those that are. */
async function mayLeave(userId: string): Promise<boolean> {
  const { indexedStore } = await import('../lib/queue-store.ts')
  const store = indexedStore<{ id: string; owner: string; state: string }>()
  // A browser that keeps nothing leaves nothing behind.
  const entries = await store.list(userId).catch(() => [])
  const unsent = entries.filter(({ state }) => state !== 'done')
  const question = {
    title: t('auth.unsentTitle'),
    message: t('auth.unsentText', { count: unsent.length }),
    action: t('auth.signOut'),
  }
  if (unsent.length > 0 && !(await confirm(question))) return false
  const done = entries.filter(({ state }) => state === 'done')
  await store.remove(done.map(({ id }) => id)).catch((error: unknown) => console.warn('Scans were not removed.', error))
  return true
}

/** Who is signed in, the profile, and the way out. A native popover: closes on Escape and on a click outside. */
export function AccountMenu() {
  const words = useT()
  const user = useSession((state) => state.auth.user)
  const panel = useRef<HTMLDivElement>(null)

  async function leave() {
    panel.current?.hidePopover()
    if (user?.kind === 'staff' && !(await mayLeave(user.id))) return
    // Signing out works without a connection as well; the server's session then runs out by itself.
    await call(logout).catch((error: unknown) => console.warn('The server was not told.', error))
    clearSession()
  }

  return (
    <>
      <button type="button" className={classes.account} popoverTarget={panelId} aria-label={words('nav.account')}>
        <IconUserCircle size={22} stroke={1.75} aria-hidden />
      </button>
      <div id={panelId} ref={panel} popover="auto" className={classes.panel}>
        <p className={classes.who}>
          {user?.account?.name ?? user?.name}
          <span>{user?.email}</span>
        </p>
        {user?.kind === 'customer' && (
          <Link to="/profile" className={classes.item} onClick={() => panel.current?.hidePopover()}>
            <IconUser size={20} stroke={1.75} aria-hidden />
            {words('nav.profile')}
          </Link>
        )}
        <button type="button" className={classes.item} onClick={() => void leave()}>
          <IconLogout size={20} stroke={1.75} aria-hidden />
          {words('auth.signOut')}
        </button>
      </div>
    </>
  )
}
