import { Button, Textarea } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { countLimit } from '@waybill/contract/ground/paging'
import {
  type Dispute,
  decideBody,
  decideDispute,
  disputeDecisions,
  disputeTabs,
  exportDisputes,
  listDisputes,
  weighingStateLabels,
} from '@waybill/contract/parcels/weighing'
import { StaffParcelLink } from '../../../components/buttons/staff-parcel-link.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { ChoiceCards } from '../../../components/fields/choice-cards.tsx'
import { WeightField } from '../../../components/fields/measure-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { fieldProps } from '../../../components/form/field-props.ts'
import { useUnsavedGuard } from '../../../components/form/use-unsaved-guard.ts'
import { Buttons, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Tabs } from '../../../components/layout/tabs.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { Pages } from '../../../components/list/data-list.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { formatCount } from '../../../components/list/list-toolbar.tsx'
import { usePages } from '../../../components/list/use-pages.ts'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { SizeFields } from './size-fields.tsx'
import { blankSize, type SizeValues, withSize } from './weighing-figures.ts'
import { WeighingPhotos } from './weighing-photos.tsx'

/** Disputed weights: the station's measurement, the sender's statement, and the decision. */
export function DisputesPage() {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate({ from: '/staff/disputes' })
  const { state = 'contested' } = useSearch({ from: '/staff/staff/disputes' })
  const { list: pages, slice } = usePages({ state })
  const list = useCall(listDisputes, { query: { state, ...slice } }, { staleTime: 0, keepPrevious: true })
  return (
    <>
      <PageHeader
        title={t('disputesPage.title')}
        description={t(`disputesPage.lead.${state}`)}
        actions={<DownloadExcel endpoint={exportDisputes} narrowing={{ state }} />}
      />
      <Tabs
        label={t('disputesPage.tabs')}
        tabs={disputeTabs.map((key) => ({
          key,
          label: t(`disputesPage.tab.${key}`),
          count: formatCount(
            { value: key, label: '', count: list.data?.counts[key], countedTo: countLimit },
            format.number,
          ),
        }))}
        current={state}
        onSelect={(next) =>
          void navigate({ search: next === 'decided' ? { state: next } : {}, replace: true, resetScroll: false })
        }
      />
      {!list.data ? (
        list.error ? (
          <ErrorPanel error={list.error} retry={() => void list.refetch()} />
        ) : (
          <Loading />
        )
      ) : list.data.items.length === 0 ? (
        <MessagePanel kind="empty" title={t(`disputesPage.empty.${state}`)} />
      ) : (
        <>
          {list.data.items.map((dispute) => (
            <Case key={dispute.id} dispute={dispute} />
          ))}
          {list.data.total > list.data.items.length && <Pages list={pages} page={list.data} countedTo={countLimit} />}
        </>
      )}
    </>
  )
}

function Case({ dispute }: { dispute: Dispute }) {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  return (
    <Panel gap={12} style={{ marginBlockEnd: 16 }}>
      <h2>
        <StaffParcelLink number={dispute.trackingNumber} /> · {dispute.accountName}
      </h2>
      <Facts layout="tiles" min={130}>
        <Fact label={t('weighing.declared')}>
          {format.weight(dispute.declaredGrams)}
          {dispute.declaredDimensions && <Quiet>{format.dimensions(dispute.declaredDimensions)}</Quiet>}
        </Fact>
        <Fact label={t('weighing.measured')}>
          {format.weight(dispute.weightGrams)}
          {dispute.dimensions && <Quiet>{format.dimensions(dispute.dimensions)}</Quiet>}
        </Fact>
        <Fact label={t('weighing.charged')}>
          {format.weight(dispute.chargeableBeforeGrams)} → {format.weight(dispute.chargeableGrams)}
        </Fact>
        <Fact label={t('fields.scaleReading')}>{dispute.scaleReading}</Fact>
        <Fact label={t('cashDoc.difference')}>{format.money(dispute.differenceMinor, dispute.currency)}</Fact>
      </Facts>
      <Note>{[dispute.station, format.dateTime(dispute.at)].filter(Boolean).join(' · ')}</Note>
      <WeighingPhotos photo={dispute.photo} photos={dispute.photos} />
      {dispute.laterReading && (
        <Note>
          {t('disputesPage.laterReading', {
            weight: format.weight(dispute.laterReading.weightGrams),
            details: [
              dispute.laterReading.dimensions && format.dimensions(dispute.laterReading.dimensions),
              dispute.laterReading.station,
              format.dateTime(dispute.laterReading.at),
            ]
              .filter(Boolean)
              .join(' · '),
          })}
        </Note>
      )}
      {dispute.reason && <p>{t('disputesPage.sender', { reason: dispute.reason })}</p>}
      {dispute.state === 'contested' ? (
        <Decide dispute={dispute} />
      ) : (
        <p>
          <strong>{label(weighingStateLabels, dispute.state)}</strong>
          <Quiet>{dispute.decisionNote}</Quiet>
        </p>
      )}
    </Panel>
  )
}

function Decide({ dispute }: { dispute: Dispute }) {
  const t = useT()
  const form = useContractForm({
    schema: decideBody,
    initial: {
      decision: 'uphold' as (typeof disputeDecisions)[number],
      note: '',
      // The reading: the clerk changes what was measured wrong.
      weightGrams: dispute.weightGrams as number | null,
      dimensions: (dispute.dimensions ?? blankSize) as SizeValues,
    },
    prepare: (values) => ({ ...withSize(values), version: dispute.version }),
    onSubmit: (body) => call(decideDispute, { params: { id: dispute.id }, body }),
    refresh: [listDisputes],
    refreshOnError: [listDisputes],
    success: t('disputesPage.decided'),
  })
  useUnsavedGuard(form.dirty && !form.submitting, { parts: true })
  const decision = form.field('decision')
  const note = form.field('note')
  return (
    <Stack {...form.props} as="form" style={{ maxWidth: 640 }}>
      <ChoiceCards
        legend={t('fields.decision')}
        name="decision"
        layout="row"
        value={decision.value}
        onChange={(value) => decision.onChange(value as (typeof disputeDecisions)[number])}
        choices={disputeDecisions.map((value) => ({ value, title: t(`disputesPage.decision.${value}`) }))}
      />
      {decision.value === 'adjust' && (
        <>
          <WeightField field={{ ...form.field('weightGrams'), required: true }} />
          <SizeFields form={form} />
        </>
      )}
      <Textarea
        {...fieldProps(note)}
        value={note.value}
        onChange={(event) => note.onChange(event.currentTarget.value)}
        minRows={2}
        autosize
        description={t('disputesPage.noteHelp')}
      />
      <Buttons>
        <Button type="submit" variant="filled" loading={form.submitting}>
          {t('disputesPage.decide')}
        </Button>
      </Buttons>
    </Stack>
  )
}
