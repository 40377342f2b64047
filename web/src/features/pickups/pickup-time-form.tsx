import { Button } from '@mantine/core'
import type { Party } from '@waybill/contract/addresses/addresses'
import { fieldMessage } from '@waybill/contract/ground/validation'
import { useState } from 'react'
import { AddressSearch } from '../../components/address/address-search.tsx'
import { partyValuesOf } from '../../components/address/party-values.ts'
import { DialogFoot } from '../../components/dialog.tsx'
import { notify } from '../../components/notify.tsx'
import { ApiError } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import classes from './pickups.module.css'
import { type Slot, SlotChoice } from './slot-choice.tsx'

type Props = {
  address: Party
  slot: Slot | null
  action: string
  onSave: (choice: Slot & { address: Party }) => Promise<void>
  onCancel: () => void
}

/** Where and when a rider comes: for a new pickup and for one that is moved. */
export function PickupTimeForm({ address: given, slot: before, action, onSave, onCancel }: Props) {
  const t = useT()
  const [address, setAddress] = useState(given)
  const [slot, setSlot] = useState<Slot | null>(before)
  const [wrong, setWrong] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function save() {
    if (!slot) {
      setWrong(fieldMessage('required', 'date', t))
      return
    }
    setBusy(true)
    setWrong(undefined)
    try {
      await onSave({ address, ...slot })
    } catch (error) {
      if (error instanceof ApiError && error.errors.length > 0)
        setWrong(error.errors.map(({ message }) => message).join(' '))
      else notify.problem(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className={classes.form}>
      <div>
        <h3>{t('pickupsPage.address')}</h3>
        <AddressText address={address} />
        <AddressSearch
          label={t('cart.otherAddress')}
          placeholder={t('newParcel.searchPlaceholder')}
          onPick={(picked) => setAddress(partyValuesOf(picked) as Party)}
        />
      </div>
      <SlotChoice address={address} value={slot} onChange={setSlot} error={wrong} />
      <DialogFoot>
        <Button onClick={onCancel}>{t('actions.cancel')}</Button>
        <Button variant="filled" loading={busy} onClick={() => void save()}>
          {action}
        </Button>
      </DialogFoot>
    </div>
  )
}

export function AddressText({ address }: { address: Party }) {
  return (
    <p className={classes.address}>
      <strong>{address.contactName}</strong>
      <span>{[address.line1, address.line2].filter(Boolean).join(', ')}</span>
      <span>
        {address.postcode} {address.city}, {address.state}
      </span>
      <span>{address.phone}</span>
    </p>
  )
}
