import { lazy, Suspense } from 'react'
import { currentView } from '../../lib/view.ts'
import classes from '../layouts/layout.module.css'

const Bell = lazy(async () => ({ default: (await import('../../features/notifications/bell.tsx')).Bell }))

/** The bell is loaded after the page. Staff who view an account see no notifications of its owner. */
export function BellPlace() {
  if (currentView) return null
  return (
    <span className={classes.bell}>
      <Suspense>
        <Bell className={classes.cart} badgeClass={classes.badge} />
      </Suspense>
    </span>
  )
}
