import { IconAlertTriangle } from '@tabler/icons-react'
import type { Misroute } from '@waybill/contract/parcels/transport/misroute'
import { useT } from '../../../lib/i18n.ts'
import classes from './load-rows.module.css'

/** The text of a scan, with a warning if its parcel or bag is probably misrouted. */
export function useMisrouteText(): (done: string, misroute: Misroute | null) => string {
  const t = useT()
  return (done, misroute) => {
    if (!misroute) return done
    const warning = t(`misroute.${misroute.reason}`, { station: misroute.station })
    return t('misroute.result', { done, warning })
  }
}

/** The warning in the row of a load or of a parcel in a bag; nothing without one. */
export function MisrouteNote({ misroute }: { misroute: Misroute | null }) {
  const t = useT()
  if (!misroute) return null
  return (
    <span className={classes.warning}>
      <IconAlertTriangle size={18} aria-hidden />
      {t(`misroute.${misroute.reason}`, { station: misroute.station })}
    </span>
  )
}
