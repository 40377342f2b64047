import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { loadOptions, loadProfile, loadSettings } from '../lib/load.ts'
import { useSession } from '../lib/session.ts'
import { Frame } from './frame.tsx'
import { portalNav, visibleNav } from './nav.ts'
import { TopBar } from './top-bar.tsx'
import { useHasCod } from './use-has-cod.ts'
import { useLiveAnswers } from './use-live-answers.ts'

/** Around every page of a signed-in customer: search, cart and account at the top. */
export function PortalLayout() {
  const router = useRouter()
  const permissions = useSession((state) => state.auth.permissions)
  const hasCod = useHasCod()
  const groups = visibleNav(portalNav, permissions, (to) => to in router.routesByPath && (to !== '/cod' || hasCod))

  useEffect(() => {
    void loadSettings()
    void loadProfile()
    void loadOptions()
  }, [])
  useLiveAnswers()

  return <Frame top={<TopBar />} groups={groups} signInPath="/login" />
}
