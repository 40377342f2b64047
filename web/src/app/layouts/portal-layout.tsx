import { accountEvents } from '@waybill/contract/tracking/account-events'
import { lazy, type ReactNode, useEffect } from 'react'
import { findSuspended } from '../../components/access/why-closed.ts'
import { LazyPart } from '../../components/feedback/lazy-part.tsx'
import { useOpenHit } from '../../features/search/open-hit.ts'
import { useSession } from '../../lib/session.ts'
import { loadOptions, loadProfile } from '../../lib/settings/load.ts'
import { loadSettings } from '../../lib/settings/load-settings.ts'
import { untilLoaded } from '../../lib/settings/until-loaded.ts'
import { currentView } from '../../lib/view.ts'
import { portalActions, portalNav, visibleNav } from '../nav/nav.ts'
import { TopBar } from '../nav/top-bar.tsx'
import { useHasCod } from '../nav/use-has-cod.ts'
import { Frame } from './frame.tsx'
import { useLiveAnswers } from './use-live-updates.ts'

/** Only few people see these, so they are loaded only for them. */
const SuspendedBanner = lazy(async () => ({ default: (await import('./suspended-banner.tsx')).SuspendedBanner }))
const ViewBanner = lazy(async () => ({ default: (await import('./view-banner.tsx')).ViewBanner }))

/**
 * The layout of every page of a signed-in customer: search, cart and account at the top. `instead`: for a path without
 * a page.
 */
export function PortalLayout({ instead }: { instead?: ReactNode }) {
  const permissions = useSession((state) => state.auth.permissions)
  const hasCod = useHasCod()
  const company = useSession((state) => state.auth.user?.account?.userType === 'corporate')
  const suspended = useSession((state) => findSuspended(state.auth.user))
  const groups = visibleNav(portalNav, { permissions, company, hasCod })

  useEffect(() => {
    void untilLoaded(loadSettings)
    void untilLoaded(loadProfile)
    void untilLoaded(loadOptions)
  }, [])
  useLiveAnswers(accountEvents)
  const openHit = useOpenHit()

  return (
    <Frame
      top={
        <TopBar side="customer" groups={[...groups, ...visibleNav(portalActions, { permissions })]} openHit={openHit} />
      }
      banner={
        (currentView || suspended) && (
          <LazyPart>
            {currentView && <ViewBanner view={currentView} />}
            {suspended && <SuspendedBanner who={suspended} />}
          </LazyPart>
        )
      }
      groups={groups}
      loading={permissions.length === 0}
      instead={instead}
      signInPath="/login"
    />
  )
}
