import type { Trip } from '@waybill/contract/parcels/transport/trips'
import { useId } from 'react'
import { TextField } from '../../../components/fields/text-field.tsx'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import { useT } from '../../../lib/i18n.ts'
import { DestinationField } from '../scanning/station-choice.tsx'

export type TripValues = { toStationId: string | null; vehicle: string; driverName: string }

type Props = {
  form: ContractForm<TripValues>
  /** Where the trip departs, which is no destination. */
  fromStationId: string | null
  /** Their vehicles and drivers are suggested. */
  recentTrips: readonly Trip[]
}

/** Destination, vehicle and driver of a trip. */
export function TripFields({ form, fromStationId, recentTrips }: Props) {
  const t = useT()
  const listId = useId()
  const vehicles = [...new Set(recentTrips.map(({ vehicle }) => vehicle))]
  const drivers = [...new Set(recentTrips.map(({ driverName }) => driverName))]
  return (
    <>
      <DestinationField field={form.field('toStationId')} except={fromStationId} />
      <TextField
        field={form.field('vehicle')}
        help={t('tripPage.vehicleHelp')}
        list={`${listId}-vehicles`}
        maxLength={20}
        autoComplete="off"
        autoCapitalize="characters"
      />
      <TextField field={form.field('driverName')} list={`${listId}-drivers`} maxLength={120} autoComplete="off" />
      <Suggestions id={`${listId}-vehicles`} values={vehicles} />
      <Suggestions id={`${listId}-drivers`} values={drivers} />
    </>
  )
}

function Suggestions({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  )
}
