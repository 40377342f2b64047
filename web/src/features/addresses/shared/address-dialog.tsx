import {
  type Address,
  addressInput,
  createAddress,
  getAddress,
  getDefaultAddress,
  listAddresses,
  updateAddress,
} from '@waybill/contract/addresses/addresses'
import { type AddressKind, addressKindLabels } from '@waybill/contract/ground/enums/enums'
import { useState } from 'react'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useRecordVersion } from '../../../components/feedback/use-record-version.ts'
import { CheckboxField } from '../../../components/fields/checkbox-field.tsx'
import { RadioField } from '../../../components/fields/radio-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { DraftNotice } from '../../../components/form/draft-notice.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChoices } from '../../../lib/labels.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import classes from '../addresses.module.css'
import { PartyFields } from './party-fields.tsx'
import { emptyParty, type PartyFieldOf, type PartyValues, toPartyInput, toPartyValues } from './party-values.ts'
import { PasteButton } from './paste-button.tsx'
import { useOverride } from './use-override.ts'

type Values = PartyValues & { label: string | null; kind: AddressKind; isDefault: boolean }

type Props = {
  /** The address to change; null creates one. */
  address: Address | null
  /** Known details of the user: the new address then becomes the account's default sender. */
  ownSender?: Pick<PartyValues, 'contactName' | 'phone'>
  onClose: () => void
}

/** Creates or changes an address. The draft of a new address is kept until it is saved. */
export function AddressDialog({ address, ownSender, onClose }: Props) {
  const t = useT()
  const choices = useChoices()
  const country = useDeployment()?.countryCode ?? 'my'
  const { save: saveOverriding } = useOverride({
    text: t('addressBook.overrideText'),
    action: t('addressBook.saveAnyway'),
  })
  /** How often an address was pasted. Each time the fields are remounted, or the postcode would overwrite the city. */
  const [pastes, setPastes] = useState(0)
  const callOnce = useCallOnce()
  const record = useRecordVersion(address, ({ id }) => call(getAddress, { params: { id } }))
  const form = useContractForm<typeof addressInput, Values>({
    schema: addressInput,
    initial: address
      ? { ...toPartyValues(address), label: address.label, kind: address.kind, isDefault: address.isDefault }
      : {
          ...{ ...emptyParty(country), ...ownSender, label: null },
          ...(ownSender ? { kind: 'sender', isDefault: true } : { kind: 'receiver', isDefault: false }),
        },
    prepare: (values) => ({ ...values, ...toPartyInput(values) }),
    ...(address ? {} : { draftKey: ownSender ? 'address:own' : 'address' }),
    onSubmit: (body): Promise<unknown> =>
      saveOverriding((override) => {
        const content = { ...body, override }
        if (!address) return callOnce(createAddress, { body: content })
        return call(updateAddress, { params: { id: address.id }, body: { ...content, version: record.version } })
      }),
    refresh: [listAddresses, getAddress, getDefaultAddress],
    refreshOnError: [listAddresses],
    success: (_, { contactName }) => t('addressBook.saved', { name: contactName }),
    onSuccess: onClose,
    onError: record.onError,
  })
  return (
    <SaveDialog
      shape="wide"
      title={t(address ? 'addressBook.edit' : ownSender ? 'addressBook.createOwn' : 'addressBook.create')}
      onClose={onClose}
      keepsDraft={address === null}
      form={form}
      conflict={record.conflict}
    >
      <DraftNotice form={form} getName={({ contactName }) => contactName} />
      <div>
        <PasteButton
          onUse={(party) => {
            form.patch(party)
            setPastes(pastes + 1)
          }}
        />
      </div>
      <PartyFields
        key={pastes}
        field={form.field as unknown as PartyFieldOf}
        countries="all"
        own={Boolean(ownSender)}
        autoFocus={ownSender ? 'line1' : true}
      />
      <div className={classes.own}>
        <TextField field={form.field('label')} autoComplete="off" help={t('addressBook.labelHelp')} maw={320} />
        <RadioField field={form.field('kind')} choices={choices(addressKindLabels)} />
        {form.values.kind !== 'receiver' && (
          <CheckboxField field={form.field('isDefault')} help={t('addressBook.defaultHelp')} />
        )}
      </div>
    </SaveDialog>
  )
}
