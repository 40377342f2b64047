import type { ParsedField } from '@waybill/contract/addresses/addresses'
import { isPickedUp } from '@waybill/contract/pricing/delivery-mode'
import { useRef, useState } from 'react'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import type { Doubts } from '../../addresses/shared/parsed-party.ts'
import type { PartyValues } from '../../addresses/shared/party-values.ts'
import { isAbroad, type ParcelValues } from '../new-parcel/parcel-values.ts'
import type { Side } from './split-addresses.ts'

/** A parsed address, and the values in it that the user should check. */
export type Reading = { side: Side; party: PartyValues; doubts: Doubts }

/** The changes by the parsed parties. There is no delivery to a station abroad. */
export function fillReadings(values: ParcelValues, readings: readonly Reading[]): Partial<ParcelValues> {
  const parties = Object.fromEntries(readings.map(({ side, party }) => [side, party])) as Partial<
    Record<Side, PartyValues>
  >
  const changes = { ...parties, ...(parties.receiver ? { receiverKnown: false } : {}) }
  if (!isAbroad({ ...values, ...changes })) return changes
  return { ...changes, deliveryMode: isPickedUp(values.deliveryMode) ? 'D2D' : 'P2D' }
}

/**
 * Fills the form with pasted addresses. `doubtfulFields` of a side are those with a guessed value that the user has
 * neither changed nor confirmed. `version` changes each time, so that the fields are remounted: otherwise the postcode
 * would overwrite the pasted city.
 */
export function usePaste(form: ContractForm<ParcelValues>) {
  const { values } = form
  const [version, setVersion] = useState(0)
  const [doubts, setDoubts] = useState<Partial<Record<Side, Doubts>>>({})
  /** The parties before the last filling. */
  const before = useRef<Record<Side, PartyValues> | null>(null)
  return {
    version,
    doubtfulFields: (side: Side): readonly ParsedField[] =>
      (Object.keys(doubts[side] ?? {}) as ParsedField[]).filter((name) => doubts[side]?.[name] === values[side][name]),
    confirm: (side: Side) => setDoubts((present) => ({ ...present, [side]: {} })),
    /**
     * `isMoved`: the last address was put on the wrong side, which gets its previous values back. Returns the new
     * values.
     */
    take: (readings: readonly Reading[], isMoved: boolean): ParcelValues => {
      const base = isMoved && before.current ? { ...values, ...before.current } : values
      const { sender, receiver } = base
      before.current = { sender, receiver }
      const changes = { sender, receiver, ...fillReadings(base, readings) }
      form.patch(changes)
      setDoubts(Object.fromEntries(readings.map(({ side, doubts: guesses }) => [side, guesses])))
      setVersion(version + 1)
      return { ...values, ...changes }
    },
  }
}
