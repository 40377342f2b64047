import { ParcelPlaces } from '../stations/shared/parcel-places.tsx'
import type { ExtraProps } from './extra-props.ts'

/** The places of the parcel as a list and on a map. Reloads when the parcel moves. */
export default function MapPanel({ parcel, format }: ExtraProps) {
  return <ParcelPlaces number={parcel.trackingNumber} revision={parcel.events.length} dateTime={format.dateTime} />
}
