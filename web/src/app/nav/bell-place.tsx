import { lazy, Suspense } from 'react'
import { currentView } from '../../lib/view.ts'
import classes from '../layouts/layout.module.css'

// If it cannot be loaded, an error in the top bar would be worse than no bell.
const Bell = lazy(() =>
  import('../../features/notifications/bell.tsx').then(
    ({ Bell: Loaded }) => ({ default: Loaded }),
    () => ({ default: NoBell }),
  ),
)

function NoBell() {
  return <></>
}

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
