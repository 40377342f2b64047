import { Checkbox } from '@mantine/core'
import { carrierLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import {
  type DeliveryMode,
  deliveryModeLabels,
  scopeLabels,
  serviceTypeLabels,
} from '@waybill/contract/ground/enums/parcel-enums'
import type { Tone } from '@waybill/contract/ground/status/status-look'
import {
  type CarrierRule,
  listServices,
  type OfferedService,
  serviceStates,
  updateCarrierRule,
  updateService,
} from '@waybill/contract/pricing/rate-cards'
import { useState } from 'react'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useRecordVersion } from '../../../components/feedback/use-record-version.ts'
import { CheckboxField } from '../../../components/fields/checkbox-field.tsx'
import { WeightField } from '../../../components/fields/measure-field.tsx'
import { PlainNumberField } from '../../../components/fields/plain-number-field.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Grid, Section } from '../../../components/layout/boxes.tsx'
import { Fieldset } from '../../../components/layout/fold.tsx'
import { ErrorText, Tag } from '../../../components/layout/text.tsx'
import { ListTable, TableFrame } from '../../../components/list/list-table.tsx'
import { EditRowButton } from '../../../components/list/row-buttons.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'

const unsorted = { sort: undefined, sortBy: () => undefined, selection: undefined }

const offerTones: Record<OfferedService['status'], Tone> = {
  open: 'success',
  closed: 'waiting',
  not_offered: 'neutral',
}

/** The services of each carrier: kinds of shipment, limits, and how weight is calculated. */
export function ServicesTab() {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const { data, error, refetch } = useCall(listServices, {})
  const [service, setService] = useState<OfferedService | null>(null)
  const [carrier, setCarrier] = useState<CarrierRule | null>(null)
  if (error) return <ErrorPanel error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  const weight = (grams: number | null) => (grams === null ? t('ratesPage.asSettings') : format.weight(grams))
  const name = (row: OfferedService) =>
    `${label(carrierLabels, row.carrier)} · ${label(serviceTypeLabels, row.serviceType)}`
  return (
    <>
      {labelValues(scopeLabels).map((scope) => (
        <Section key={scope} title={label(scopeLabels, scope)}>
          <TableFrame>
            <ListTable
              {...unsorted}
              dense
              label={label(scopeLabels, scope)}
              rows={data.services.filter((row) => row.scope === scope)}
              rowKey={(row) => `${row.carrier} ${row.serviceType}`}
              rowName={name}
              columns={[
                { id: 'service', header: t('fields.serviceType'), card: 'title', phone: 'title', cell: name },
                {
                  id: 'status',
                  header: t('fields.status'),
                  phone: 'end',
                  cell: (row) => <Tag tone={offerTones[row.status]}>{t(`ratesPage.offer.${row.status}`)}</Tag>,
                },
                {
                  id: 'modes',
                  header: t('fields.deliveryModes'),
                  // The widest content, so that the columns of both tables line up.
                  minWidth: 136,
                  phone: 'detail',
                  cell: (row) => (row.status === 'not_offered' ? '–' : format.list(row.deliveryModes)),
                },
                { id: 'cod', header: t('fields.cod'), cell: (row) => t(row.cod ? 'ratesPage.yes' : 'ratesPage.no') },
                {
                  id: 'max',
                  header: t('fields.maxWeightGrams'),
                  align: 'end',
                  cell: (row) => weight(row.maxWeightGrams),
                },
                {
                  id: 'edit',
                  kind: 'work',
                  header: t('ratesPage.actions'),
                  cell: (row) => (
                    <EditRowButton
                      of={format.list([label(scopeLabels, scope), name(row)])}
                      onClick={() => setService(row)}
                    />
                  ),
                },
              ]}
            />
          </TableFrame>
        </Section>
      ))}
      <Section title={t('ratesPage.counting')}>
        <TableFrame>
          <ListTable
            {...unsorted}
            dense
            label={t('ratesPage.counting')}
            rows={data.carriers}
            rowKey={(row) => row.carrier}
            rowName={(row) => label(carrierLabels, row.carrier)}
            columns={[
              {
                id: 'carrier',
                header: t('fields.carrier'),
                card: 'title',
                phone: 'title',
                cell: (row) => label(carrierLabels, row.carrier),
              },
              {
                id: 'divisor',
                header: t('fields.divisor'),
                align: 'end',
                phone: 'detail',
                phoneCell: (row) =>
                  row.divisor === null
                    ? t('ratesPage.asSettings')
                    : t('ratesPage.divisorOf', { divisor: format.number(row.divisor) }),
                cell: (row) => (row.divisor === null ? t('ratesPage.asSettings') : format.number(row.divisor)),
              },
              {
                id: 'rounding',
                header: t('fields.roundingGrams'),
                align: 'end',
                cell: (row) => (row.roundingGrams === null ? t('ratesPage.asRate') : format.weight(row.roundingGrams)),
              },
              {
                id: 'fuel',
                header: t('fields.fuelBasisPoints'),
                align: 'end',
                cell: (row) =>
                  row.fuelBasisPoints === null
                    ? t('ratesPage.asSettings')
                    : `${format.number(row.fuelBasisPoints / 100)} %`,
              },
              {
                id: 'edit',
                kind: 'work',
                header: t('ratesPage.actions'),
                cell: (row) => <EditRowButton of={label(carrierLabels, row.carrier)} onClick={() => setCarrier(row)} />,
              },
            ]}
          />
        </TableFrame>
      </Section>
      {service && <ServiceDialog service={service} title={name(service)} onClose={() => setService(null)} />}
      {carrier && <CarrierDialog rule={carrier} onClose={() => setCarrier(null)} />}
    </>
  )
}

type DialogProps = { onClose: () => void }

const isSameService = (one: OfferedService, other: OfferedService) =>
  one.scope === other.scope && one.carrier === other.carrier && one.serviceType === other.serviceType

function ServiceDialog({ service, title, onClose }: DialogProps & { service: OfferedService; title: string }) {
  const t = useT()
  const label = useLabel()
  const { scope, carrier, serviceType, version: _, ...initial } = service
  const record = useRecordVersion(service, async () => {
    const { services } = await call(listServices, {})
    return services.find((each) => isSameService(each, service)) ?? service
  })
  const form = useContractForm<typeof updateService.body, typeof initial>({
    schema: updateService.body,
    initial,
    prepare: (values) => ({ ...values, version: record.version }),
    onSubmit: (body) => call(updateService, { params: { scope, carrier, serviceType }, body }),
    refresh: [listServices],
    refreshOnError: [listServices],
    success: t('ratesPage.saved'),
    onSuccess: onClose,
    onError: record.onError,
  })
  const modes = form.field('deliveryModes')
  const toggle = (mode: DeliveryMode, on: boolean) =>
    modes.onChange(labelValues(deliveryModeLabels).filter((each) => (each === mode ? on : modes.value.includes(each))))
  return (
    <SaveDialog
      title={t('phrase.label', { label: label(scopeLabels, scope) }) + title}
      onClose={onClose}
      form={form}
      conflict={record.conflict}
    >
      <SelectField
        field={form.field('status')}
        choices={serviceStates.map((value) => ({ value, label: t(`ratesPage.offer.${value}`) }))}
        help={t('ratesPage.offerHelp')}
      />
      <Fieldset gap={8} legend={modes.label}>
        {labelValues(deliveryModeLabels).map((mode) => (
          <Checkbox
            key={mode}
            name="deliveryModes"
            label={label(deliveryModeLabels, mode)}
            checked={modes.value.includes(mode)}
            onChange={(event) => toggle(mode, event.currentTarget.checked)}
          />
        ))}
        {modes.error && <ErrorText>{modes.error}</ErrorText>}
      </Fieldset>
      {carrier === 'own' && <CheckboxField field={form.field('cod')} />}
      <Grid>
        <WeightField field={form.field('maxWeightGrams')} help={t('ratesPage.emptySettings')} />
        <WeightField field={form.field('maxVolumetricGrams')} help={t('ratesPage.emptySettings')} />
      </Grid>
    </SaveDialog>
  )
}

function CarrierDialog({ rule, onClose }: DialogProps & { rule: CarrierRule }) {
  const t = useT()
  const label = useLabel()
  const { carrier, version: _, ...initial } = rule
  const record = useRecordVersion(rule, async () => {
    const { carriers } = await call(listServices, {})
    return carriers.find((each) => each.carrier === carrier) ?? rule
  })
  const form = useContractForm<typeof updateCarrierRule.body, typeof initial>({
    schema: updateCarrierRule.body,
    initial,
    prepare: (values) => ({ ...values, version: record.version }),
    onSubmit: (body) => call(updateCarrierRule, { params: { carrier }, body }),
    refresh: [listServices],
    refreshOnError: [listServices],
    success: t('ratesPage.saved'),
    onSuccess: onClose,
    onError: record.onError,
  })
  return (
    <SaveDialog title={label(carrierLabels, carrier)} onClose={onClose} form={form} conflict={record.conflict}>
      <PlainNumberField field={form.field('divisor')} help={t('ratesPage.emptySettings')} />
      <WeightField field={form.field('roundingGrams')} help={t('ratesPage.emptyRate')} />
      <PlainNumberField field={form.field('fuelBasisPoints')} percent help={t('ratesPage.emptySettings')} />
    </SaveDialog>
  )
}
