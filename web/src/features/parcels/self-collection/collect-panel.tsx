import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from '../after-hand-over.module.css'

/** The parcel waits where its receiver collects it: until when. */
export function CollectPanel({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const format = useFormat()
  const day = parcel.collectUntil
  if (!day) return null
  return (
    <section className={classes.panel} aria-labelledby="parcel-collect">
      <h2 id="parcel-collect">{t('collect.until', { date: `${format.weekday(day)}, ${format.day(day)}` })}</h2>
      <p className={classes.quiet}>{t('collect.text')}</p>
    </section>
  )
}
