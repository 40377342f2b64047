import { Button } from '@mantine/core'
import {
  type Address,
  addressInput,
  createAddress,
  getAddress,
  getDefaultAddress,
  listAddresses,
  updateAddress,
} from '@waybill/contract/addresses/addresses'
import { type AddressKind, addressKindLabels } from '@waybill/contract/ground/enums'
import { useState } from 'react'
import { PartyFields } from '../../components/address/party-fields.tsx'
import {
  emptyParty,
  type PartyFieldOf,
  type PartyValues,
  toPartyInput,
  toPartyValues,
} from '../../components/address/party-values.ts'
import { PasteButton } from '../../components/address/paste-button.tsx'
import { Dialog, DialogFoot } from '../../components/dialog.tsx'
import { CheckboxField } from '../../components/form/checkbox-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { DraftNotice } from '../../components/form/draft-notice.tsx'
import { RadioField } from '../../components/form/radio-field.tsx'
import { TextField } from '../../components/form/text-field.tsx'
import { notify } from '../../components/notify.tsx'
import { ApiError, call } from '../../lib/api.ts'
import { useDeployment } from '../../lib/deployment.ts'
import { useT } from '../../lib/i18n.ts'
import { useChoices } from '../../lib/labels.ts'
import { useChanged } from '../../lib/query.ts'
import classes from './addresses.module.css'

type Values = PartyValues & { label: string | null; kind: AddressKind; isDefault: boolean }

/** A new address, or one of the book to change. What is typed for a new one is kept until it is saved. */
export function AddressDialog({ address, onClose }: { address: Address | null; onClose: () => void }) {
  const t = useT()
  const choices = useChoices()
  const changed = useChanged()
  const country = useDeployment()?.countryCode ?? 'my'
  const [version, setVersion] = useState(address?.version ?? 0)
  const [conflict, setConflict] = useState<string | null>(null)
  const form = useContractForm<typeof addressInput, Values>({
    schema: addressInput,
    initial: address
      ? { ...toPartyValues(address), label: address.label, kind: address.kind, isDefault: address.isDefault }
      : { ...emptyParty(country), label: null, kind: 'receiver', isDefault: false },
    prepare: (values) => ({ ...values, ...toPartyInput(values) }),
    ...(address ? {} : { draftKey: 'address' }),
    onSubmit: async (body) => {
      if (address) await call(updateAddress, { params: { id: address.id }, body: { ...body, version } })
      else await call(createAddress, { body })
      await changed(listAddresses, getAddress, getDefaultAddress)
      notify.success(t('addressBook.saved', { name: body.contactName }))
      onClose()
    },
    onError: (error) => {
      if (!address || !(error instanceof ApiError) || error.code !== 'version_conflict') return false
      setConflict(error.message)
      void changed(listAddresses)
      // Saving again is then a decision, not an accident.
      call(getAddress, { params: { id: address.id } }).then(
        (present) => setVersion(present.version),
        (problem: unknown) => notify.problem(problem),
      )
      return true
    },
  })
  return (
    <Dialog
      shape="wide"
      title={address ? t('addressBook.edit') : t('addressBook.create')}
      onClose={onClose}
      sticky={form.dirty && address !== null}
    >
      <form {...form.props} className={classes.form}>
        {conflict && (
          <p className={classes.conflict} role="alert">
            {conflict} {t('addressBook.conflict')}
          </p>
        )}
        <DraftNotice form={form} nameOf={({ contactName }) => contactName} />
        <div>
          <PasteButton onUse={(party) => form.patch(party)} />
        </div>
        <PartyFields field={form.field as unknown as PartyFieldOf} countries="all" autoFocus />
        <div className={classes.own}>
          <TextField
            field={form.field('label')}
            autoComplete="off"
            help={t('addressBook.labelHelp')}
            className={classes.label}
          />
          <RadioField field={form.field('kind')} choices={choices(addressKindLabels)} />
          {form.values.kind !== 'receiver' && (
            <CheckboxField field={form.field('isDefault')} help={t('addressBook.defaultHelp')} />
          )}
        </div>
        <DialogFoot>
          <Button onClick={onClose}>{t('actions.cancel')}</Button>
          <Button type="submit" variant="filled" loading={form.submitting}>
            {t('actions.save')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
