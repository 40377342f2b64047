import { getWeekday } from '@waybill/contract/ground/days'
import type { Station } from '@waybill/contract/stations/stations'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useOpenState } from './open-state.ts'

/** Whether a station is open now, and today's opening hours. */
export function OpeningTimes({ station }: { station: Pick<Station, 'openingHours' | 'openNow'> }) {
  const t = useT()
  const format = useFormat()
  const openState = useOpenState()
  const hours = station.openingHours[getWeekday(format.today()) - 1]
  return (
    <span style={{ display: 'block' }}>
      {openState(station)}
      {' · '}
      {hours ? t('cart.hoursToday', { open: hours.open, close: hours.close }) : t('cart.closedToday')}
    </span>
  )
}
