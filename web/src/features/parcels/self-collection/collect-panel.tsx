import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import { useLongDay } from '../../../components/display/line-breaks.ts'
import { Panel } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'

/** A parcel that waits for collection, with its deadline. */
export function CollectPanel({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const longDay = useLongDay()
  const day = parcel.collectUntil
  if (!day) return null
  return (
    <Panel gap={12} aria-labelledby="parcel-collect">
      <h2 id="parcel-collect">{t('collect.until', { date: longDay(day) })}</h2>
      <Note>{t('collect.text')}</Note>
    </Panel>
  )
}
