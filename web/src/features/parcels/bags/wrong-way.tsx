import { IconAlertTriangle } from '@tabler/icons-react'
import type { WrongWay } from '@waybill/contract/parcels/transport/wrong-way'
import { useT } from '../../../lib/i18n.ts'
import classes from './load-rows.module.css'

/** The text of a scan, with the warning that its parcel or bag probably goes the wrong way. */
export function useWrongWayText(): (done: string, wrongWay: WrongWay | null) => string {
  const t = useT()
  return (done, wrongWay) => {
    if (!wrongWay) return done
    const warning = t(`wrongWay.${wrongWay.reason}`, { station: wrongWay.station })
    return t('wrongWay.result', { done, warning })
  }
}

/** The warning in the row of a load or of a parcel in a bag; nothing without one. */
export function WrongWayNote({ wrongWay }: { wrongWay: WrongWay | null }) {
  const t = useT()
  if (!wrongWay) return null
  return (
    <span className={classes.warning}>
      <IconAlertTriangle size={18} aria-hidden />
      {t(`wrongWay.${wrongWay.reason}`, { station: wrongWay.station })}
    </span>
  )
}
