import { flushSync } from 'react-dom'
import { AddressSearch } from '../../components/address/address-search.tsx'
import { PartyFields } from '../../components/address/party-fields.tsx'
import {
  emptyParty,
  isBlank,
  type PartyValues,
  partyFieldOf,
  partyValuesOf,
} from '../../components/address/party-values.ts'
import { CheckboxField } from '../../components/form/checkbox-field.tsx'
import type { ContractForm } from '../../components/form/contract-form.ts'
import { useT } from '../../lib/i18n.ts'
import { useMay } from '../../lib/session.ts'
import classes from './new-parcel.module.css'
import type { ParcelValues } from './parcel-values.ts'

type Props = {
  form: ContractForm<ParcelValues>
  side: 'sender' | 'receiver'
  /** Whether a default sender stands in the address book. */
  hasDefault: boolean
  /** With the party that now stands in the fields. */
  onPicked: (party: PartyValues) => void
}

/** Who sends, or who receives: found in the address book, or written below. */
export function PartyStep({ form, side, hasDefault, onPicked }: Props) {
  const t = useT()
  const maySave = useMay('addresses')
  const party = form.values[side]
  const known = side === 'receiver' && form.values.receiverKnown
  return (
    <div className={classes.stack}>
      <AddressSearch
        label={t(`newParcel.search.${side}`)}
        placeholder={t('newParcel.searchPlaceholder')}
        onPick={(address) => {
          const picked = partyValuesOf(address)
          form.patch({ [side]: picked, ...(side === 'receiver' ? { receiverKnown: true } : {}) })
          onPicked(picked)
        }}
        onNew={(typed) => {
          const digits = /^[+\d][\d\s()-]+$/.test(typed)
          flushSync(() =>
            form.patch({
              [side]: { ...emptyParty(party.country), [digits ? 'phone' : 'contactName']: typed },
              ...(side === 'receiver' ? { receiverKnown: false } : {}),
            }),
          )
          const next = typed === '' || digits ? 'contactName' : 'phone'
          document.querySelector<HTMLElement>(`[name="${side}.${next}"]`)?.focus()
        }}
        autoFocus={isBlank(party)}
      />
      <PartyFields key={known ? 'known' : 'new'} field={partyFieldOf(form, side)} own={side === 'sender'} />
      {maySave && side === 'receiver' && !known && (
        <CheckboxField field={form.field('saveReceiver', t('newParcel.saveReceiver'))} />
      )}
      {maySave && side === 'sender' && !hasDefault && (
        <CheckboxField field={form.field('saveSender', t('newParcel.saveSender'))} />
      )}
    </div>
  )
}
