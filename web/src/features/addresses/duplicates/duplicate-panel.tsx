import { Button, Radio } from '@mantine/core'
import { type Address, getDefaultAddress, listAddresses } from '@waybill/contract/addresses/addresses'
import {
  type DuplicateGroup,
  dismissDuplicates,
  listDuplicates,
  mergeDuplicates,
} from '@waybill/contract/addresses/duplicates'
import { addressKindLabels } from '@waybill/contract/ground/enums/enums'
import { useState } from 'react'
import { Phone } from '../../../components/display/phone-link.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, Grid, Panel } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { formatPlace } from '../shared/format-place.ts'
import { useOverride } from '../shared/use-override.ts'

/** Values that are selected separately. Postcode, city, state and country belong together. */
const fields = [
  'contactName',
  'company',
  'phone',
  'email',
  'line1',
  'line2',
  'place',
  'label',
  'kind',
  'remarks',
] as const
type Field = (typeof fields)[number]

const formatField = (address: Address, field: Field): string =>
  field === 'place' ? `${formatPlace(address)} (${address.country.toUpperCase()})` : (address[field] ?? '')

/** One address for each distinct value of a field: the first that has it. */
function listVariants(addresses: readonly Address[], field: Field): Address[] {
  return addresses.filter(
    (address, n) => addresses.findIndex((other) => formatField(other, field) === formatField(address, field)) === n,
  )
}

/** The initial selection: the first address, and for its empty fields the next one that has a value. */
function firstChoice(addresses: readonly Address[], field: Field): number {
  return Math.max(
    0,
    addresses.findIndex((address) => formatField(address, field) !== ''),
  )
}

/** The merged address: each value from the address that the user selected for it. */
function mergeFields(addresses: readonly Address[], choices: Readonly<Record<Field, number>>) {
  const from = (field: Field) => addresses[choices[field]] as Address
  const { postcode, city, state, country } = from('place')
  const { id, version, residential } = addresses[0] as Address
  return {
    id,
    version,
    residential,
    contactName: from('contactName').contactName,
    company: from('company').company,
    phone: from('phone').phone,
    email: from('email').email,
    line1: from('line1').line1,
    line2: from('line2').line2,
    postcode,
    city,
    state,
    country,
    label: from('label').label,
    kind: from('kind').kind,
    remarks: from('remarks').remarks,
    isDefault: addresses.some(({ isDefault }) => isDefault),
  }
}

/** One group of duplicates: the user selects a value where they differ; then one address remains. */
export function DuplicatePanel({ group: { kind, addresses } }: { group: DuplicateGroup }) {
  const t = useT()
  const label = useLabel()
  const [choices, setChoices] = useState(
    () => Object.fromEntries(fields.map((field) => [field, firstChoice(addresses, field)])) as Record<Field, number>,
  )
  const { save: saveOverriding } = useOverride({
    text: t('addressBook.overrideText'),
    action: t('addressBook.saveAnyway'),
  })
  const refresh = [listDuplicates, listAddresses, getDefaultAddress]
  const name = addresses[0]?.contactName ?? ''
  const merge = useSend(
    () =>
      saveOverriding((override) =>
        call(mergeDuplicates, {
          body: {
            keep: { ...mergeFields(addresses, choices), override },
            remove: addresses.slice(1).map(({ id, version }) => ({ id, version })),
          },
        }),
      ),
    { refresh, refreshOnError: refresh, success: t('addressDuplicates.merged', { name }) },
  )
  const dismiss = useSend(() => call(dismissDuplicates, { body: { ids: addresses.map(({ id }) => id) } }), {
    refresh: [listDuplicates],
    refreshOnError: refresh,
  })
  const text = (address: Address, field: Field) => {
    if (field === 'kind') return label(addressKindLabels, address.kind)
    // The country only where the addresses differ in it: it would be the same word in every line.
    const isOneCountry = addresses.every(({ country }) => country === address.country)
    const value = field === 'place' && isOneCountry ? formatPlace(address) : formatField(address, field)
    if (value && field === 'phone') return <Phone phone={value} />
    return value || t('addressDuplicates.empty')
  }
  const getTitle = (field: Field) => t(field === 'place' ? 'addressDuplicates.place' : `fields.${field}`)
  const same = fields.filter(
    (field) => listVariants(addresses, field).length === 1 && formatField(addresses[0] as Address, field) !== '',
  )
  const different = fields.filter((field) => listVariants(addresses, field).length > 1)
  return (
    <Panel title={name}>
      <Note>{t(`addressDuplicates.${kind}`, { addresses: addresses.length })}</Note>
      <Facts layout="tiles" min={200}>
        {same.map((field) => (
          <Fact key={field} label={getTitle(field)}>
            {text(addresses[0] as Address, field)}
          </Fact>
        ))}
      </Facts>
      <Grid min={240}>
        {different.map((field) => (
          <Radio.Group
            key={field}
            label={getTitle(field)}
            value={String(choices[field])}
            onChange={(value) => setChoices({ ...choices, [field]: Number(value) })}
          >
            {listVariants(addresses, field).map((address) => (
              <Radio key={address.id} mt={8} value={String(addresses.indexOf(address))} label={text(address, field)} />
            ))}
          </Radio.Group>
        ))}
      </Grid>
      <Buttons>
        <Button loading={dismiss.pending} onClick={() => void dismiss.send()}>
          {t('addressDuplicates.dismiss')}
        </Button>
        <Button variant="filled" loading={merge.pending} onClick={() => void merge.send()}>
          {t('addressDuplicates.merge', { addresses: addresses.length })}
        </Button>
      </Buttons>
    </Panel>
  )
}
