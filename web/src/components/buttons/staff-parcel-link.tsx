import { useFormat } from '../../lib/format.ts'
import { Mono } from '../layout/text.tsx'
import { TextLink } from './link.tsx'

/** A tracking number that opens the page of the parcel for staff. */
export function StaffParcelLink({ number }: { number: string }) {
  const format = useFormat()
  return (
    <TextLink to="/staff/parcels/$no" params={{ no: number }}>
      <Mono>{format.trackingNumber(number)}</Mono>
    </TextLink>
  )
}
