import { Checkbox } from '@mantine/core'
import { type ServiceCode, serviceCodeLabels, stationTypeLabels } from '@waybill/contract/ground/enums/enums'
import { getSelector } from '@waybill/contract/settings/settings'
import {
  createStation,
  getManagedStation,
  listManagedStations,
  type StationRecord,
  stationChange,
  stationInput,
  updateStation,
} from '@waybill/contract/stations/manage'
import { publicStations } from '@waybill/contract/stations/stations'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useRecordVersion } from '../../../components/feedback/use-record-version.ts'
import { CheckboxField } from '../../../components/fields/checkbox-field.tsx'
import { PhoneField } from '../../../components/fields/phone-field.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { type ContractForm, useContractForm } from '../../../components/form/contract-form.ts'
import { Grid } from '../../../components/layout/boxes.tsx'
import { Fieldset } from '../../../components/layout/fold.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChoices, useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import { CoverageRows } from './coverage-rows.tsx'
import { HoursRows } from './hours-rows.tsx'
import { StationHolidays } from './station-holidays.tsx'
import { emptyStation, fromStationValues, type StationValues, toStationValues } from './station-values.ts'

/** Opens a station, or changes or closes one. */
export function StationDialog({ id, onClose }: { id: string | null; onClose: () => void }) {
  return id === null ? <Form station={null} onClose={onClose} /> : <Loaded id={id} onClose={onClose} />
}

/** The complete record is loaded when the form opens: the list omits coverage. */
function Loaded({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useT()
  const { data, error, refetch } = useCall(getManagedStation, { params: { id } })
  if (data) return <Form station={data} onClose={onClose} />
  return (
    <Dialog title={t('stations.station')} onClose={onClose} shape="wide">
      {error ? <ErrorPanel error={error} retry={() => void refetch()} /> : <Loading />}
    </Dialog>
  )
}

function Form({ station, onClose }: { station: StationRecord | null; onClose: () => void }) {
  const t = useT()
  const choices = useChoices()
  const home = useDeployment()?.countryCode ?? 'my'
  const record = useRecordVersion(station, ({ id }) => call(getManagedStation, { params: { id } }))
  const { version } = record
  const form = useContractForm<typeof stationInput | typeof stationChange, StationValues>({
    schema: station ? stationChange : stationInput,
    initial: station ? toStationValues(station) : emptyStation(home),
    prepare: (values) => ({ ...fromStationValues(values), version }),
    onSubmit: (body): Promise<unknown> =>
      station
        ? call(updateStation, { params: { id: station.id }, body: stationChange.parse({ ...body, version }) })
        : call(createStation, { body: stationInput.parse(body) }),
    refresh: [listManagedStations, getManagedStation, publicStations],
    refreshOnError: [listManagedStations],
    success: (_, { name }) => t('stationsAdmin.saved', { name }),
    onSuccess: onClose,
    onError: record.onError,
  })
  return (
    <SaveDialog
      shape="wide"
      title={station ? t('stationsAdmin.edit', { code: station.code }) : t('stationsAdmin.new')}
      onClose={onClose}
      form={form}
      conflict={record.conflict}
    >
      <Grid>
        {!station && (
          <TextField
            field={form.field('code', t('fields.recordCode'))}
            autoComplete="off"
            help={t('stationsAdmin.codeHelp')}
          />
        )}
        <TextField field={form.field('name')} autoComplete="off" />
        <SelectField field={form.field('type')} choices={choices(stationTypeLabels)} />
        <PhoneField field={form.field('phone')} autoComplete="off" />
      </Grid>
      <Place form={form} />
      <Services form={form} />
      <HoursRows form={form} />
      <StationHolidays country={form.values.country} state={form.values.state} />
      <CoverageRows form={form} />
      {station && <CheckboxField field={form.field('active')} help={t('stationsAdmin.activeHelp')} />}
    </SaveDialog>
  )
}

type Part = { form: ContractForm<StationValues> }

function Place({ form }: Part) {
  const t = useT()
  const states = useCall(getSelector, { params: { name: 'states' }, query: { country: form.values.country } })
  const stateList = states.data?.items ?? []
  return (
    <Fieldset legend={t('fields.address')}>
      <Grid>
        <TextField field={form.field('line1')} autoComplete="off" />
        <TextField field={form.field('postcode')} autoComplete="off" inputMode="numeric" />
        <TextField field={form.field('city')} autoComplete="off" />
        {stateList.length > 0 ? (
          <SelectField field={form.field('state')} choices={stateList} />
        ) : (
          <TextField field={form.field('state')} autoComplete="off" />
        )}
        <TextField field={form.field('latitude')} autoComplete="off" inputMode="decimal" placeholder="3.1570" />
        <TextField field={form.field('longitude')} autoComplete="off" inputMode="decimal" placeholder="101.6970" />
      </Grid>
      <Note>{t('stationsAdmin.coordinatesHelp')}</Note>
    </Fieldset>
  )
}

function Services({ form }: Part) {
  const t = useT()
  const label = useLabel()
  const { value, onChange, path } = form.field('serviceCodes')
  const codes = Object.keys(serviceCodeLabels) as ServiceCode[]
  return (
    <Fieldset legend={t('fields.serviceCodes')}>
      <Note>{t('stationsAdmin.servicesHelp')}</Note>
      <Grid fill gap="8px 16px">
        {codes.map((code) => (
          <Checkbox
            key={code}
            name={path}
            label={label(serviceCodeLabels, code)}
            checked={value.includes(code)}
            onChange={(event) => {
              const { checked } = event.currentTarget
              onChange(codes.filter((each) => (each === code ? checked : value.includes(each))))
            }}
          />
        ))}
      </Grid>
    </Fieldset>
  )
}
