import { useSyncExternalStore } from 'react'
import { useT } from '../../lib/i18n.ts'
import classes from './layout.module.css'

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Shows below the top bar that there is no connection, so the page may be out of date. */
export function OfflineBar() {
  const t = useT()
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  // An alert is announced when it appears. A status would have to exist before, in addition to the status of the page.
  return online ? null : (
    <p role="alert" className={classes.offline}>
      {t('app.offline')}
    </p>
  )
}
