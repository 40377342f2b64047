import { useLongDay } from '../../../components/display/line-breaks.ts'
import { useT } from '../../../lib/i18n.ts'

/** The expected day of a service on its own line, if it is known. */
export function ExpectedDay({ day }: { day: string | null }) {
  const t = useT()
  const longDay = useLongDay()
  return day && <span style={{ display: 'block' }}>{t('newParcel.expected', { day: longDay(day) })}</span>
}
