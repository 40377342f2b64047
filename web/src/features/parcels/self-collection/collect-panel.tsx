import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import { Panel } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'

/** A parcel that waits for collection, with its deadline. */
export function CollectPanel({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const format = useFormat()
  const day = parcel.collectUntil
  if (!day) return null
  return (
    <Panel gap={12} aria-labelledby="parcel-collect">
      <h2 id="parcel-collect">{t('collect.until', { date: `${format.weekday(day)}, ${format.day(day)}` })}</h2>
      <Note>{t('collect.text')}</Note>
    </Panel>
  )
}
