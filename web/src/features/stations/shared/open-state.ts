import type { Station } from '@waybill/contract/stations/stations'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { serverNow } from '../../../lib/time/server-clock.ts'
import { findNextOpening } from './next-opening.ts'

type State = Pick<Station, 'openingHours' | 'openNow'> & { holiday?: string | null }

/**
 * The opening state as text, such as `Open now`, `Opens 14:00`, `Opens Monday 08:30`: `const openState =
 * useOpenState(); openState(station)`.
 */
export function useOpenState() {
  const t = useT()
  const format = useFormat()
  return (station: State): string => {
    if (station.openNow) return t('home.openNow')
    const next = findNextOpening(station, format.today(), format.time(new Date(serverNow()).toISOString()))
    if (!next) return t('home.closedNow')
    return next.days === 0
      ? t('home.opensToday', { time: next.open })
      : t('home.opensOn', { day: format.weekday(next.day), time: next.open })
  }
}
