import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import { LazyMessages } from '../../features/chat/lazy-messages.tsx'
import { ParcelPage } from '../../features/parcels/parcel-page.tsx'

/** A parcel, and under its timeline the messages about it. */
export function ParcelScreenPage() {
  return <ParcelPage more={MessagesPart} />
}

function MessagesPart({ parcel }: { parcel: ParcelDetail }) {
  return parcel.trackingNumber && <LazyMessages id={parcel.id} />
}
