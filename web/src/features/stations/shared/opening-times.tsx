import type { Station } from '@waybill/contract/stations/stations'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useOpenState } from './open-state.ts'

/** Whether a station is open now, and today's opening hours. */
export function OpeningTimes({ station }: { station: Pick<Station, 'openingHours' | 'openNow'> }) {
  const t = useT()
  const format = useFormat()
  const openState = useOpenState()
  // The contract's week starts on Monday, a JavaScript date's on Sunday.
  const weekday = (new Date(`${format.today()}T00:00:00Z`).getUTCDay() + 6) % 7
  const hours = station.openingHours[weekday]
  return (
    <span style={{ display: 'block' }}>
      {openState(station)}
      {' · '}
      {hours ? t('cart.hoursToday', { open: hours.open, close: hours.close }) : t('cart.closedToday')}
    </span>
  )
}
