import { parcelStatusLooks } from '@waybill/contract/ground/status/status-look'
import type { TrackingEvent } from '@waybill/contract/parcels/parcels'
import { Timeline } from '../../components/display/timeline.tsx'
import { Panel } from '../../components/layout/boxes.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'

/** The events of a parcel, newest first. `byName`, for staff: the person who caused the event. */
export function ParcelTimeline({ events }: { events: readonly (TrackingEvent & { byName?: string | null })[] }) {
  const t = useT()
  const format = useFormat()
  return (
    <Panel title={t('parcelPage.timeline')}>
      <Timeline
        label={t('parcelPage.timeline')}
        entries={[...events]
          .sort((a, b) => b.at.localeCompare(a.at) || b.id.localeCompare(a.id))
          .map((event) => ({
            key: event.id,
            title: t(`event.${event.event}`),
            detail: [event.station ?? event.place, event.byName, event.note].filter(Boolean).join(' · ') || undefined,
            when: `${format.dateTime(event.at)} · ${format.relative(event.at)}`,
            dateTime: event.at,
            tone: parcelStatusLooks[event.status].tone,
          }))}
      />
    </Panel>
  )
}
