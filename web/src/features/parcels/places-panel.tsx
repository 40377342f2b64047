import { Button } from '@mantine/core'
import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import { lazy, useState } from 'react'
import { LazyPart } from '../../components/feedback/lazy-part.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { Panel, Stack } from '../../components/layout/boxes.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'

const ParcelPlaces = lazy(async () => ({
  default: (await import('../stations/shared/parcel-places.tsx')).ParcelPlaces,
}))

/** The map of the parcel's places, loaded when it is opened. */
export function PlacesPanel({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const format = useFormat()
  const [open, setOpen] = useState(false)
  if (parcel.trackingNumber === null) return null
  return (
    <Stack>
      <div>
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('places.open')}
        </Button>
      </div>
      {open && (
        <Panel>
          <LazyPart fallback={<Loading />}>
            <ParcelPlaces number={parcel.trackingNumber} revision={parcel.events.length} dateTime={format.dateTime} />
          </LazyPart>
        </Panel>
      )}
    </Stack>
  )
}
