import type { Station } from '@waybill/contract/stations/stations'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import classes from './stations.module.css'
import { weekParts } from './week.ts'

/** The first of 2024 was a Monday. */
const dayOf = (weekday: number) => `2024-01-0${weekday + 1}`

/** The opening hours of a whole week. */
export function OpeningWeek({ openingHours }: Pick<Station, 'openingHours'>) {
  const t = useT()
  const format = useFormat()
  return (
    <dl className={classes.week}>
      {weekParts(openingHours).map(({ from, to, hours }) => (
        <div key={from}>
          <dt>
            {from === to
              ? format.weekday(dayOf(from))
              : t('stations.days', { from: format.weekday(dayOf(from)), to: format.weekday(dayOf(to)) })}
          </dt>
          <dd>{hours ? `${hours.open}–${hours.close}` : t('stations.closed')}</dd>
        </div>
      ))}
    </dl>
  )
}
