import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ConfirmHost } from '../../components/feedback/confirm-host.tsx'
import { local } from '../../lib/browser/storage.ts'
import { useTablet } from '../../lib/browser/use-media.ts'
import { useT } from '../../lib/i18n.ts'
import { BottomBar } from '../nav/bottom-bar.tsx'
import type { visibleNav } from '../nav/nav.ts'
import { SideNav } from '../nav/side-nav.tsx'
import classes from './layout.module.css'
import { OfflineBar } from './offline-bar.tsx'
import { SessionGuard } from './session-guard.tsx'

const collapsedKey = 'nav'

type Props = {
  /** The content of the top bar. */
  top: ReactNode
  groups: ReturnType<typeof visibleNav>
  /** Stays on top of the page while it scrolls. */
  banner?: ReactNode
  /** The user's permissions are not loaded yet. */
  loading: boolean
  /** Shown instead of the page, if the user has no access to this path. */
  instead?: ReactNode | undefined
  /** Where a user signs in again after the session has ended. */
  signInPath: '/login' | '/staff/login'
}

/**
 * The frame around every page of a signed-in user: navigation at the left (at the bottom on a phone), `top` above
 * everything.
 */
export function Frame({ top, banner, groups, loading, instead, signInPath }: Props) {
  const t = useT()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const [choice, setChoice] = useState(() => local.get(collapsedKey))
  const tablet = useTablet()
  const collapsed = choice === null ? tablet : choice === 'collapsed'

  function toggle() {
    const newChoice = collapsed ? 'open' : 'collapsed'
    local.set(collapsedKey, newChoice)
    setChoice(newChoice)
  }

  const CollapseIcon = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <div className={classes.portal} data-collapsed={collapsed}>
      <a className="wb-skip" href="#main">
        {t('app.skip')}
      </a>
      <header className={classes.header}>
        {top}
        <OfflineBar />
      </header>
      <nav className={classes.side} aria-label={t('nav.main')}>
        <SideNav groups={groups} path={path} loading={loading} collapsed={collapsed} />
        <button type="button" className={classes.collapse} onClick={toggle} aria-expanded={!collapsed}>
          <CollapseIcon size={20} stroke={1.75} aria-hidden />
          <span className={collapsed ? 'wb-hidden' : undefined}>{collapsed ? t('nav.expand') : t('nav.collapse')}</span>
        </button>
      </nav>
      <main id="main" tabIndex={-1} className={classes.page}>
        {banner}
        {instead ?? <Outlet />}
      </main>
      <BottomBar groups={groups} path={path} loading={loading} />
      <ConfirmHost />
      <SessionGuard signInPath={signInPath} />
    </div>
  )
}
