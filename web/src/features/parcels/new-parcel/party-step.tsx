import type { ParsedField } from '@waybill/contract/addresses/addresses'
import { flushSync } from 'react-dom'
import { CheckboxField } from '../../../components/fields/checkbox-field.tsx'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { useT } from '../../../lib/i18n.ts'
import { isTouchDevice } from '../../../lib/input/touch.ts'
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
import { ScopeChoice } from '../services/scope-choice.tsx'
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
      {side === 'receiver' && <ScopeChoice form={form} />}
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
