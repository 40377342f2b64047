import { addDays } from '@waybill/contract/ground/days'
import type { slotReasons } from '@waybill/contract/pickups/slots'
import { formatWindow } from '../../../components/display/time-window.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'

/** Why a day or a window cannot be chosen; null if it can. */
export type SlotReason = (typeof slotReasons)[number] | null

/** The choice cards of days, the same wherever a day is chosen. A closed day shows the reason instead of its date. */
export function useDayChoices() {
  const t = useT()
  const format = useFormat()
  return (days: readonly { date: string; closed: SlotReason }[]) => {
    const today = format.today()
    const tomorrow = addDays(today, 1)
    return days.map(({ date, closed }) => ({
      value: date,
      title: date === today ? t('cart.today') : date === tomorrow ? t('cart.tomorrow') : format.weekday(date),
      text: closed ? t(`pickupClosed.${closed}`) : format.shortDay(date),
      disabled: closed !== null,
    }))
  }
}

/** The choice cards of a day's time windows, with the reason of a closed one. */
export function useWindowChoices() {
  const t = useT()
  return (windows: readonly { window: string; closed: SlotReason }[]) =>
    windows.map(({ window, closed }) => ({
      value: window,
      title: formatWindow(window),
      ...(closed ? { text: t(`pickupClosed.${closed}`), disabled: true } : {}),
    }))
}

/** Why a whole day is closed: the reason of its last window, unless one is open. */
export function dayReason(windows: readonly { closed: SlotReason }[]): SlotReason {
  return windows.some(({ closed }) => closed === null) ? null : (windows.at(-1)?.closed ?? null)
}
