import { Link, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Brand } from '../components/brand.tsx'
import { LanguageSwitch, SchemeSwitch } from '../components/switches.tsx'
import { loadOptions, loadProfile, loadSettings } from '../lib/load.ts'
import { useSession } from '../lib/session.ts'
import { AccountMenu } from './account-menu.tsx'
import { Frame } from './frame.tsx'
import classes from './layout.module.css'
import { staffNav, visibleNav } from './nav.ts'

/** Around every page of signed-in staff: the work that the role may do, grouped. */
export function StaffLayout() {
  const router = useRouter()
  const permissions = useSession((state) => state.auth.permissions)
  const groups = visibleNav(staffNav, permissions, (to) => to in router.routesByPath)
  useEffect(() => {
    void loadSettings()
    void loadProfile()
    void loadOptions()
    // Scans that wait are sent from whichever page their clerk has open.
    void import('../features/scans/scan-queue.ts')
  }, [])
  return <Frame top={<StaffBar />} groups={groups} signInPath="/staff/login" />
}

function StaffBar() {
  return (
    <div className={classes.top}>
      <Link to="/staff" className={classes.brand}>
        <Brand />
      </Link>
      <div className={classes.tools}>
        <LanguageSwitch />
        <SchemeSwitch />
        <AccountMenu />
      </div>
    </div>
  )
}
