import { useRouterState } from '@tanstack/react-router'
import { staffEvents } from '@waybill/contract/tracking/account-events'
import { type ReactNode, useEffect } from 'react'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { MessagePanel } from '../../components/feedback/message-panel.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { useOpenStaffHit } from '../../features/search/open-staff-hit.ts'
import { useSetupOpen } from '../../features/setup/shared/use-setup-open.ts'
import { useT } from '../../lib/i18n.ts'
import { useSession } from '../../lib/session.ts'
import { loadOptions, loadProfile } from '../../lib/settings/load.ts'
import { loadSettings } from '../../lib/settings/load-settings.ts'
import { untilLoaded } from '../../lib/settings/until-loaded.ts'
import { findNavItem, visibleNav } from '../nav/nav.ts'
import { staffNav } from '../nav/staff-nav.ts'
import { TopBar } from '../nav/top-bar.tsx'
import { Frame } from './frame.tsx'
import { useLiveAnswers } from './use-live-updates.ts'

/**
 * The layout of every page of signed-in staff: the tasks that the role may do, grouped. `instead`: for a path without
 * a page.
 */
export function StaffLayout({ instead }: { instead?: ReactNode }) {
  const permissions = useSession((state) => state.auth.permissions)
  const path = useRouterState({ select: (state) => state.location.pathname })
  const setupOpen = useSetupOpen() === true
  const groups = visibleNav(staffNav, { permissions, setupOpen })
  const loading = permissions.length === 0
  const rule = findNavItem(staffNav, path)?.access
  useEffect(() => {
    void untilLoaded(loadSettings)
    void untilLoaded(loadProfile)
    void untilLoaded(loadOptions)
    // Waiting scans are sent from whichever page is open.
    void import('../../features/parcels/scan-queue/scan-queue.ts')
  }, [])
  useLiveAnswers(staffEvents)
  const openHit = useOpenStaffHit()
  return (
    <Frame
      top={<TopBar side="staff" groups={groups} openHit={openHit} />}
      groups={groups}
      loading={loading}
      // Without a right, every button of the page would be refused.
      instead={!loading && rule && !permissions.includes(rule) ? <NotForThisRole /> : instead}
      signInPath="/staff/login"
    />
  )
}

function NotForThisRole() {
  const t = useT()
  return (
    <>
      <PageHeader title={t('nav.mayNotTitle')} />
      <MessagePanel
        kind="forbidden"
        title={t('list.forbidden')}
        text={t('errors.forbidden_staff')}
        action={<ButtonLink to="/staff">{t('nav.staffHome')}</ButtonLink>}
      />
    </>
  )
}
