import type { Station } from '@waybill/contract/stations/stations'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { weekParts } from './week.ts'

/** The first of January 2024 was a Monday. */
const getDay = (weekday: number) => `2024-01-0${weekday + 1}`

/** The opening hours of a whole week. */
export function OpeningWeek({ openingHours }: Pick<Station, 'openingHours'>) {
  const t = useT()
  const format = useFormat()
  return (
    <Facts>
      {weekParts(openingHours).map(({ from, to, hours }) => (
        <Fact
          key={from}
          label={
            from === to
              ? format.weekday(getDay(from))
              : t('stations.days', { from: format.weekday(getDay(from)), to: format.weekday(getDay(to)) })
          }
        >
          {hours ? `${hours.open}–${hours.close}` : t('stations.closed')}
        </Fact>
      ))}
    </Facts>
  )
}
