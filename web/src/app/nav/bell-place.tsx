import { type ComponentType, lazy, Suspense } from 'react'
import { currentView } from '../../lib/view.ts'
import classes from '../layouts/layout.module.css'

type BellProps = { className: string | undefined; badgeClass: string | undefined }

// If it cannot be loaded, an error in the top bar would be worse than no bell.
const Bell = lazy<ComponentType<BellProps>>(() =>
  import('../../features/notifications/bell.tsx').then(
    (module) => ({ default: module.Bell }),
    () => ({ default: () => null }),
  ),
)

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
