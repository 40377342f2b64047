import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { carrierLabels } from '@waybill/contract/ground/enums/enums'
import { scopeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { type RateLine, rateLine } from '@waybill/contract/pricing/rate-cards'
import { listZones, zoneNameIn } from '@waybill/contract/stations/zones'
import { useState } from 'react'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { MoneyField, WeightField } from '../../../components/fields/measure-field.tsx'
import { PlainNumberField } from '../../../components/fields/plain-number-field.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Grid } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { useChoices } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import type { figures } from './rate-figures.ts'

type Props = {
  currency: string
  /** The line from which the service is copied; undefined in an empty card. */
  like: RateLine | undefined
  onAdd: (line: RateLine) => void
}

/** Adds a line of any service between any two zones. */
export function NewLineButton(props: Props) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('ratesPage.addService')}
      </Button>
      {open && <NewLineDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Prices and days start empty: a line without a price must not be free. */
type Values = Omit<RateLine, (typeof figures)[number]> & Record<(typeof figures)[number], number | null>

const unpriced = { firstPriceMinor: null, stepPriceMinor: null, transitDays: null }
const usualLine: Values = {
  scope: 'domestic',
  carrier: 'own',
  serviceType: 'e_parcel',
  originZone: '',
  destinationZone: '',
  minWeightGrams: 1,
  maxWeightGrams: 30_000,
  firstWeightGrams: 1000,
  stepWeightGrams: 500,
  ...unpriced,
}

function NewLineDialog({ currency, like, onAdd, onClose }: Props & { onClose: () => void }) {
  const t = useT()
  const language = useLanguage()
  const choices = useChoices()
  const form = useContractForm<typeof rateLine, Values, void>({
    schema: rateLine,
    initial: like ? { ...like, originZone: '', destinationZone: '', ...unpriced } : usualLine,
    onSubmit: (line) => onAdd(line),
    onSuccess: onClose,
  })
  const zones = useCall(listZones, { query: { limit: 200 } }).data?.items ?? []
  const zoneChoices = (scope: RateLine['scope']) =>
    zones.flatMap((zone) =>
      zone.scope === scope ? { value: zone.code, label: `${zone.code} · ${zoneNameIn(zone, language)}` } : [],
    )
  return (
    <SaveDialog shape="wide" title={t('ratesPage.addService')} onClose={onClose} form={form} save={t('ratesPage.add')}>
      <Grid>
        <SelectField field={form.field('scope')} choices={choices(scopeLabels)} />
        <SelectField field={form.field('carrier')} choices={choices(carrierLabels)} />
        <SelectField field={form.field('serviceType')} choices={choices(serviceTypeLabels)} />
      </Grid>
      <Grid>
        <SelectField field={form.field('originZone')} choices={zoneChoices('domestic')} />
        <SelectField field={form.field('destinationZone')} choices={zoneChoices(form.values.scope)} />
        <PlainNumberField field={form.field('transitDays')} />
      </Grid>
      {zones.length === 0 && <Note>{t('ratesPage.noZones')}</Note>}
      <Grid>
        <WeightField field={form.field('firstWeightGrams')} />
        <MoneyField field={form.field('firstPriceMinor')} currency={currency} />
        <WeightField field={form.field('stepWeightGrams')} />
        <MoneyField field={form.field('stepPriceMinor')} currency={currency} />
        <WeightField field={form.field('minWeightGrams')} />
        <WeightField field={form.field('maxWeightGrams')} />
      </Grid>
    </SaveDialog>
  )
}
