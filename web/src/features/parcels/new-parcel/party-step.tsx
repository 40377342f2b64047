import type { ParsedField } from '@waybill/contract/addresses/addresses'
import { scopeLabels } from '@waybill/contract/ground/enums'
import { isPickedUp } from '@waybill/contract/pricing/delivery-mode'
import { flushSync } from 'react-dom'
import { CheckboxField } from '../../../components/fields/checkbox-field.tsx'
import { ChoiceCards } from '../../../components/fields/choice-cards.tsx'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { useT } from '../../../lib/i18n.ts'
import { isTouchDevice } from '../../../lib/input/touch.ts'
import { useChoices } from '../../../lib/labels.ts'
import { useMay } from '../../../lib/session.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import { AddressSearch } from '../../addresses/shared/address-search.tsx'
import { PartyFields } from '../../addresses/shared/party-fields.tsx'
import {
  emptyParty,
  isBlank,
  type PartyValues,
  partyFieldBinder,
  toPartyValues,
} from '../../addresses/shared/party-values.ts'
import type { ParcelValues } from './parcel-values.ts'

type Props = {
  form: ContractForm<ParcelValues>
  side: 'sender' | 'receiver'
  /** Whether the address book has a default sender. */
  hasDefault: boolean
  /** Pasted values of the party; its fields are remounted with each version. */
  pasted: { version: number; doubtful: readonly ParsedField[] }
  /** Called with the new values of the party. */
  onPicked: (party: PartyValues) => void
}

/** Sender or receiver: searched in the address book, or typed below. */
export function PartyStep({ form, side, hasDefault, pasted, onPicked }: Props) {
  const t = useT()
  const choices = useChoices()
  const maySave = useMay('addresses')
  const party = form.values[side]
  const isKnownReceiver = side === 'receiver' && form.values.receiverKnown
  const home = useDeployment()?.countryCode ?? form.values.sender.country
  const abroad = side === 'receiver' && party.country !== home
  function take(next: PartyValues, isKnown: boolean) {
    form.patch({ [side]: next, ...(side === 'receiver' ? { receiverKnown: isKnown } : {}) })
    onPicked(next)
  }
  return (
    <Stack gap={24}>
      {side === 'receiver' && (
        <ChoiceCards
          legend={t('fields.scope')}
          name="scope"
          layout="row"
          value={abroad ? 'international' : 'domestic'}
          onChange={(scope) =>
            form.patch({
              receiver: { ...party, country: scope === 'domestic' ? home : '', postcode: '', city: '', state: '' },
              receiverKnown: false,
              servicePicked: false,
              // International parcels are always delivered to the door.
              ...(scope === 'domestic' ? {} : { deliveryMode: isPickedUp(form.values.deliveryMode) ? 'D2D' : 'P2D' }),
            })
          }
          choices={choices(scopeLabels).map(({ value, label }) => ({ value, title: label }))}
        />
      )}
      <AddressSearch
        label={t(`newParcel.search.${side}`)}
        placeholder={t('newParcel.searchPlaceholder')}
        onPick={(address) => {
          take(toPartyValues(address), true)
        }}
        onNew={(input) => {
          const digits = /^[+\d][\d\s()-]+$/.test(input)
          flushSync(() =>
            form.patch({
              [side]: { ...emptyParty(party.country), [digits ? 'phone' : 'contactName']: input },
              ...(side === 'receiver' ? { receiverKnown: false } : {}),
            }),
          )
          const next = input === '' || digits ? 'contactName' : 'phone'
          document.querySelector<HTMLElement>(`[name="${side}.${next}"]`)?.focus()
        }}
        autoFocus={isBlank(party) && !isTouchDevice()}
      />
      <PartyFields
        key={`${isKnownReceiver ? 'known' : 'new'} ${pasted.version}`}
        doubtful={pasted.doubtful}
        field={partyFieldBinder(form, side)}
        own={side === 'sender'}
        countries={abroad ? 'abroad' : undefined}
      />
      {maySave && side === 'receiver' && !isKnownReceiver && (
        <CheckboxField field={form.field('saveReceiver', t('newParcel.saveReceiver'))} />
      )}
      {maySave && side === 'sender' && !hasDefault && (
        <CheckboxField field={form.field('saveSender', t('newParcel.saveSender'))} />
      )}
    </Stack>
  )
}
