import { Button } from '@mantine/core'
import type { Party } from '@waybill/contract/addresses/addresses'
import { fieldMessage } from '@waybill/contract/ground/validation'
import { useState } from 'react'
import { Phone } from '../../components/display/phone-link.tsx'
import { DialogFoot } from '../../components/feedback/dialog.tsx'
import { type SendOptions, useSend } from '../../components/feedback/use-send.ts'
import { Stack } from '../../components/layout/boxes.tsx'
import { ErrorText } from '../../components/layout/text.tsx'
import { ApiError } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { AddressSearch } from '../addresses/shared/address-search.tsx'
import { formatPlace } from '../addresses/shared/format-place.ts'
import { toPartyValues } from '../addresses/shared/party-values.ts'
import { type Slot, SlotChoice } from './slot-choice.tsx'

type Choice = Slot & { address: Party }
type Props<T> = {
  address: Party
  slot: Slot | null
  action: string
  onSave: (choice: Choice) => Promise<T>
  sending: SendOptions<[Choice], T>
  onCancel: () => void
}

/** Address and time of a pickup, for booking and for rescheduling. */
export function PickupTimeForm<T>({ address: firstAddress, slot: firstSlot, action, ...props }: Props<T>) {
  const t = useT()
  const [address, setAddress] = useState(firstAddress)
  const [slot, setSlot] = useState<Slot | null>(firstSlot)
  const [problem, setProblem] = useState<string>()
  const [addressProblem, setAddressProblem] = useState<string>()
  const save = useSend(props.onSave, {
    ...props.sending,
    onError: (error) => {
      if (!(error instanceof ApiError) || error.errors.length === 0) return false
      const ofAddress = error.errors.filter(({ field }) => field.startsWith('address'))
      const others = error.errors.filter((each) => !ofAddress.includes(each)).map(({ message }) => message)
      setAddressProblem(ofAddress[0]?.message)
      setProblem(
        others.length > 0 ? others.reduce((first, second) => t('phrase.sentences', { first, second })) : undefined,
      )
      return true
    },
  })
  function submit() {
    setAddressProblem(undefined)
    setProblem(slot ? undefined : fieldMessage('required', 'date', t))
    if (slot) void save.send({ address, ...slot })
  }

  return (
    <Stack gap={20}>
      <Stack as="section" gap={8}>
        <h3>{t('pickupsPage.address')}</h3>
        <AddressText address={address} />
        {addressProblem && <ErrorText role="alert">{addressProblem}</ErrorText>}
        <AddressSearch
          label={t('cart.otherAddress')}
          placeholder={t('newParcel.searchPlaceholder')}
          onPick={(party) => {
            setAddress(toPartyValues(party) as Party)
            setAddressProblem(undefined)
          }}
        />
      </Stack>
      <SlotChoice address={address} value={slot} onChange={setSlot} error={problem} />
      <DialogFoot>
        <Button onClick={props.onCancel}>{t('actions.cancel')}</Button>
        <Button variant="filled" loading={save.pending} onClick={submit}>
          {action}
        </Button>
      </DialogFoot>
    </Stack>
  )
}

export function AddressText({ address }: { address: Party }) {
  return (
    <Stack as="p" gap={0}>
      <strong>{address.contactName}</strong>
      <span>{[address.line1, address.line2].filter(Boolean).join(', ')}</span>
      <span>{formatPlace(address)}</span>
      <Phone phone={address.phone} />
    </Stack>
  )
}
