import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import { LazyMessages } from '../../features/chat/lazy-messages.tsx'
import { ParcelPage } from '../../features/parcels/parcel-page.tsx'
import { LazyClaim } from '../../features/tickets/lazy-claim.tsx'

/** A parcel, and below its timeline its claim and the messages about it. */
export function ParcelScreenPage() {
  return <ParcelPage more={MessagesPart} />
}

function MessagesPart({ parcel }: { parcel: ParcelDetail }) {
  if (!parcel.trackingNumber) return null
  return (
    <>
      {parcel.insuredValueMinor !== null && <LazyClaim parcelId={parcel.id} />}
      <LazyMessages id={parcel.id} />
    </>
  )
}
