import { parcelStatusLooks } from '@waybill/contract/ground/status/status-look'
import type { TrackingEvent } from '@waybill/contract/parcels/parcels'
import type { ReactNode } from 'react'
import { Photos } from '../../components/display/photos.tsx'
import { Timeline } from '../../components/display/timeline.tsx'
import { Panel, Stack } from '../../components/layout/boxes.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'

type Event = TrackingEvent & { byName?: string | null }

/** Where and by whom, with a note and the photos of a failed attempt; undefined: there is nothing to add. */
function describe({ station, place, byName, note, photos }: Event, alt: string): ReactNode {
  const text = [station ?? place, byName, note].filter(Boolean).join(' · ')
  if (!photos) return text || undefined
  return (
    <Stack gap={6}>
      <span>{text}</span>
      <Photos photos={photos} alt={alt} />
    </Stack>
  )
}

/** The events of a parcel, newest first. `byName`, for staff: the person who caused the event. */
export function ParcelTimeline({ events }: { events: readonly Event[] }) {
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
            detail: describe(event, t('parcelPage.attemptPhoto')),
            when: `${format.dateTime(event.at)} · ${format.relative(event.at)}`,
            dateTime: event.at,
            tone: parcelStatusLooks[event.status].tone,
          }))}
      />
    </Panel>
  )
}
