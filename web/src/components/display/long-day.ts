import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'

/** `const longDay = useLongDay(); longDay('2026-11-27')` -> `Friday, 27 Nov 2026`, in the order of the language. */
export function useLongDay() {
  const t = useT()
  const format = useFormat()
  return (day: string): string => t('cart.longDay', { weekday: format.weekday(day), day: format.day(day) })
}
