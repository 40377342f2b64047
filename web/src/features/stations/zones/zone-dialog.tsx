import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type Scope, scopeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { getSelector } from '@waybill/contract/settings/settings'
import {
  createZone,
  getZone,
  listZones,
  updateZone,
  type Zone,
  type ZoneArea,
  zoneInput,
} from '@waybill/contract/stations/zones'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useRecordVersion } from '../../../components/feedback/use-record-version.ts'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { type ContractForm, useContractForm } from '../../../components/form/contract-form.ts'
import { FieldRow, Grid } from '../../../components/layout/boxes.tsx'
import { Fieldset } from '../../../components/layout/fold.tsx'
import { ErrorText, Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChoices } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { useCountries } from '../../../lib/settings/countries.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import classes from './zones.module.css'

/** The surcharge may be empty while the user types. */
type Area = Omit<ZoneArea, 'remoteSurchargeMinor'> & { remoteSurchargeMinor: number | null }
type Values = { code: string; name: string; nameZh: string | null; scope: Scope; areas: Area[] }

/** Creates a zone, or changes the name and the areas of one. */
export function ZoneDialog({ zone, onClose }: { zone: Zone | null; onClose: () => void }) {
  const t = useT()
  const choices = useChoices()
  const home = useDeployment()?.countryCode ?? 'my'
  const empty = (scope: Scope): Area => ({
    country: scope === 'domestic' ? home : '',
    state: null,
    postcodeFrom: null,
    postcodeTo: null,
    remoteSurchargeMinor: 0,
  })
  const { version, conflict, onError } = useRecordVersion(zone, ({ id }) => call(getZone, { params: { id } }))
  const form = useContractForm<typeof zoneInput, Values>({
    schema: zoneInput,
    initial: zone
      ? { code: zone.code, name: zone.name, nameZh: zone.nameZh, scope: zone.scope, areas: zone.areas }
      : { code: '', name: '', nameZh: null, scope: 'domestic', areas: [empty('domestic')] },
    prepare: (values) => ({
      ...values,
      areas: values.areas.map((area) => ({
        ...area,
        postcodeFrom: area.postcodeFrom || null,
        postcodeTo: area.postcodeTo || null,
        remoteSurchargeMinor: area.remoteSurchargeMinor ?? 0,
      })),
    }),
    onSubmit: (body): Promise<unknown> => {
      const { name, nameZh, areas } = body
      if (!zone) return call(createZone, { body })
      return call(updateZone, { params: { id: zone.id }, body: { version, name, nameZh, areas } })
    },
    refresh: [listZones],
    refreshOnError: [listZones],
    success: (_, { code }) => t('zonesPage.saved', { code }),
    onSuccess: onClose,
    onError,
  })
  const { scope, areas } = form.values
  const domestic = scope === 'domestic'
  const setScope = (next: Scope | null) => next && form.patch({ scope: next, areas: [empty(next)] })
  return (
    <SaveDialog
      shape="wide"
      title={zone ? t('zonesPage.edit', { code: zone.code }) : t('zonesPage.create')}
      onClose={onClose}
      form={form}
      conflict={conflict}
    >
      <Grid>
        {!zone && (
          <TextField
            field={form.field('code', t('fields.recordCode'))}
            autoComplete="off"
            help={t('zonesPage.codeHelp')}
          />
        )}
        {!zone && <SelectField field={{ ...form.field('scope'), onChange: setScope }} choices={choices(scopeLabels)} />}
      </Grid>
      <Grid min={260}>
        <TextField field={form.field('name', t('zonesPage.nameEn'))} autoComplete="off" />
        <TextField
          field={form.field('nameZh', t('fields.nameZh'))}
          autoComplete="off"
          lang="zh-CN"
          help={t('zonesPage.nameZhHelp')}
        />
      </Grid>
      <Fieldset legend={t('fields.areas')}>
        <Note>{t(domestic ? 'zonesPage.areasHelp' : 'zonesPage.countriesHelp')}</Note>
        {areas.map((area, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no key except their position
          <AreaRow key={`${n} of ${areas.length}`} form={form} n={n} domestic={domestic} area={area} />
        ))}
        {form.field('areas').error && <ErrorText>{form.field('areas').error}</ErrorText>}
        <div>
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => form.patch({ areas: [...areas, empty(scope)] })}
          >
            {t('zonesPage.addArea')}
          </Button>
        </div>
      </Fieldset>
    </SaveDialog>
  )
}

type RowProps = { form: ContractForm<Values>; n: number; domestic: boolean; area: Area }

function AreaRow({ form, n, domestic, area }: RowProps) {
  const t = useT()
  const countries = useCountries() ?? []
  const states = useCall(
    getSelector,
    { params: { name: 'states' }, query: { country: area.country } },
    { enabled: domestic },
  )
  const at = <F extends keyof Area>(field: F) => form.field(`areas.${n}.${field}`)
  const surcharge = form.field(`areas.${n}.remoteSurchargeMinor`, t('zonesPage.surcharge'))
  return (
    <FieldRow min={110} className={classes.row}>
      {domestic ? (
        <>
          <SelectField
            field={{ ...at('state'), required: false }}
            placeholder={t('zonesPage.noState')}
            choices={states.data?.items ?? []}
          />
          <TextField field={at('postcodeFrom')} autoComplete="off" inputMode="numeric" />
          <TextField field={at('postcodeTo')} autoComplete="off" inputMode="numeric" />
        </>
      ) : (
        <SelectField field={at('country')} choices={countries} />
      )}
      <MoneyField field={{ ...surcharge, required: false }} />
      <Button
        leftSection={<IconTrash size={16} aria-hidden />}
        aria-label={t('phrase.labelled', {
          label: t('actions.remove'),
          value: area.state ?? area.postcodeFrom ?? area.country,
        })}
        onClick={() => form.patch({ areas: form.values.areas.filter((_, index) => index !== n) })}
      >
        {t('actions.remove')}
      </Button>
    </FieldRow>
  )
}
