import { Button } from '@mantine/core'
import {
  bookingStateLooks,
  bookingTabs,
  cancelCarrierBooking,
  exportCarrierBookings,
  listCarrierBookings,
  listCarriers,
  retryCarrierBooking,
  type StaffBooking,
} from '@waybill/contract/carriers/carriers'
import { carrierLabels } from '@waybill/contract/ground/enums/enums'
import { countLimit } from '@waybill/contract/ground/paging'
import { StaffParcelLink } from '../../components/buttons/staff-parcel-link.tsx'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { Time } from '../../components/display/time.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { Buttons, Row } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { DataList } from '../../components/list/data-list.tsx'
import { DownloadExcel } from '../../components/list/download-excel.tsx'
import { useList } from '../../components/list/list-state.ts'
import { getCountedTabs } from '../../components/list/list-toolbar.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'

/** Parcels at other carriers: those that need attention, and the state of the others. */
export function CarriersPage() {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const list = useList(listCarrierBookings, { defaultSort: '-updatedAt' })
  const tab = list.tab ?? 'attention'
  return (
    <>
      <PageHeader
        title={t('staffCarriers.title')}
        description={t('staffCarriers.description')}
        actions={<DownloadExcel endpoint={exportCarrierBookings} narrowing={list.narrowing} />}
      />
      <Carriers />
      <DataList
        list={list}
        label={t('staffCarriers.title')}
        rowKey={(row: StaffBooking) => row.parcelId}
        rowName={(row) => format.trackingNumber(row.trackingNumber)}
        searchLabel={t('staffCarriers.search')}
        countedTo={countLimit}
        tabs={getCountedTabs(bookingTabs, (each) => t(`staffCarriers.tab.${each}`), list.result.data?.counts)}
        columns={[
          {
            id: 'parcel',
            header: t('staffCarriers.parcel'),
            card: 'title',
            wraps: true,
            phone: 'title',
            phoneCell: (row) => <StaffParcelLink number={row.trackingNumber} />,
            cell: (row) => (
              <>
                <StaffParcelLink number={row.trackingNumber} />
                {row.carrierNumber && <Quiet>{row.carrierNumber}</Quiet>}
              </>
            ),
          },
          {
            id: 'carrier',
            header: t('staffCarriers.carrier'),
            phone: 'detail',
            cell: (row) => label(carrierLabels, row.carrier),
          },
          {
            id: 'state',
            header: t('staffCarriers.state'),
            phone: 'end',
            whole: true,
            phoneCell: (row) => (
              <StatusPill look={bookingStateLooks[row.state]} label={t(`staffCarriers.states.${row.state}`)} />
            ),
            cell: (row) => (
              <>
                <StatusPill look={bookingStateLooks[row.state]} label={t(`staffCarriers.states.${row.state}`)} />
                {row.cancelling && <Quiet>{t('staffCarriers.cancelling')}</Quiet>}
              </>
            ),
          },
          {
            id: 'problem',
            header: t('staffCarriers.problem'),
            wraps: true,
            minWidth: 200,
            cell: (row) =>
              row.lastError ? (
                <>
                  {row.lastError}
                  <Quiet>{t('staffCarriers.tries', { count: row.attempts })}</Quiet>
                </>
              ) : (
                '–'
              ),
          },
          {
            id: 'next',
            header: t('staffCarriers.nextTry'),
            cell: (row) => (row.nextTryAt ? <Time at={row.nextTryAt} inList="relative" /> : '–'),
          },
          {
            id: 'updated',
            header: t('staffCarriers.updated'),
            phone: 'detailEnd',
            cell: (row) => <Time at={row.updatedAt} />,
          },
          { id: 'act', kind: 'work', header: t('staffCarriers.act'), cell: (row) => <Act row={row} /> },
        ]}
        empty={{ title: t(tab === 'attention' ? 'staffCarriers.empty.attention' : 'staffCarriers.empty.other') }}
      />
    </>
  )
}

/** The carriers that parcels can be handed to. */
function Carriers() {
  const t = useT()
  const label = useLabel()
  const carriers = useCall(listCarriers, {})
  return (
    <Row as="ul" gap="8px 32px" style={{ marginBlockEnd: 24 }}>
      {carriers.data?.items.map(({ carrier, open, reason, simulated }) => (
        <Row as="li" gap="4px 10px" key={carrier}>
          <strong>{label(carrierLabels, carrier)}</strong>
          <StatusPill
            look={open ? bookingStateLooks.booked : bookingStateLooks.cancelled}
            label={t(open ? 'staffCarriers.open' : 'staffCarriers.closed')}
          />
          {simulated && <Quiet>{t('carrierBooking.simulated')}</Quiet>}
          {reason && <Quiet>{reason}</Quiet>}
        </Row>
      ))}
    </Row>
  )
}

function Act({ row }: { row: StaffBooking }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const request = { params: { id: row.parcelId }, body: { version: row.version } }
  const retry = useSend(() => call(retryCarrierBooking, request), {
    refresh: [listCarrierBookings],
    success: t('staffCarriers.retried'),
  })
  const cancel = useSend(() => call(cancelCarrierBooking, request), {
    confirm: {
      title: t('staffCarriers.cancelTitle'),
      message: t('staffCarriers.cancelText', {
        number: format.trackingNumber(row.trackingNumber),
        carrier: label(carrierLabels, row.carrier),
      }),
      action: t('staffCarriers.cancel'),
    },
    refresh: [listCarrierBookings],
    success: t('staffCarriers.cancelled'),
  })
  const over = row.state === 'cancelled' || row.state === 'booked'
  if (over && !row.cancelling) return null
  return (
    <Buttons as="span">
      <Button size="compact-md" onClick={() => void retry.send()} loading={retry.pending}>
        {t('staffCarriers.retry')}
      </Button>
      {!row.cancelling && (
        <Button
          size="compact-md"
          variant="subtle"
          color="gray"
          onClick={() => void cancel.send()}
          loading={cancel.pending}
        >
          {t('staffCarriers.cancel')}
        </Button>
      )}
    </Buttons>
  )
}
