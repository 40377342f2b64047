import { type Format, keepHan, useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'

/** Keeps a short name on one line: no line ends at its spaces, hyphens, or Han characters. */
export const keepOnOneLine = (name: string): string =>
  keepHan(name.replaceAll(' ', '\u00a0').replaceAll('-', '-\u2060'))

/**
 * `const longDay = useLongDay(); longDay('2026-11-27')` -> `Friday, 27 Nov`, in the order of the language, with the
 * year unless it is this one. A line may end only between weekday and day, also in Chinese. A public page passes its
 * formatter.
 */
export function useLongDay(own?: Format) {
  const t = useT()
  const shared = useFormat()
  const format = own ?? shared
  return (day: string): string => {
    const write = day.slice(0, 4) === format.today().slice(0, 4) ? format.shortDay : format.day
    return t('cart.longDay', { weekday: format.weekday(day), day: write(day).replaceAll(' ', '\u00a0') })
  }
}
