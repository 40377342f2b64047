import { Button } from '@mantine/core'
import { taskStatusLabels } from '@waybill/contract/ground/enums/enums'
import { taskStatusLooks } from '@waybill/contract/ground/status/status-look'
import { pickupList } from '@waybill/contract/parcels/labels'
import {
  exportPickupRequests,
  listPickupRequests,
  type PickupRequest,
  type PickupTab,
} from '@waybill/contract/pickups/pickups'
import { useState } from 'react'
import { TextButton } from '../../components/buttons/link.tsx'
import { useLongDay } from '../../components/display/line-breaks.ts'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { formatWindow } from '../../components/display/time-window.ts'
import { useSend } from '../../components/feedback/use-send.ts'
import { DateField } from '../../components/fields/date-field.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Notice } from '../../components/layout/text.tsx'
import { DataList } from '../../components/list/data-list.tsx'
import { DownloadExcel } from '../../components/list/download-excel.tsx'
import { useList } from '../../components/list/list-state.ts'
import { openDocument } from '../../lib/download.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useSession } from '../../lib/session.ts'
import { BookDialog } from './book-dialog.tsx'
import { PickupDialog } from './pickup-dialog.tsx'

const filters = ['from', 'to'] as const
const tabs: readonly PickupTab[] = ['all', 'coming', 'failed', 'done']

/** Pickups: time, address and number of parcels. */
export function PickupsPage() {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const longDay = useLongDay()
  const list = useList(listPickupRequests, { filters, defaultSort: '-date' })
  const may = useSession((state) => state.auth.permissions.includes('parcels.create'))
  const [openId, setOpenId] = useState<string | null>(null)
  const [booking, setBooking] = useState(false)
  const waiting = list.result.data?.waitingParcels ?? 0
  const counts = list.result.data?.counts
  const print = useSend(() => openDocument(pickupList, { query: { format: 'pdf' } }))
  return (
    <>
      <PageHeader
        title={t('pickupsPage.title')}
        actions={
          <>
            <DownloadExcel endpoint={exportPickupRequests} narrowing={list.narrowing} />
            <Button loading={print.pending} onClick={() => void print.send()}>
              {t('pickupDoc.print')}
            </Button>
          </>
        }
      />
      {waiting > 0 && may && (
        <Notice as="div">
          <span>{t('pickupsPage.waiting', { count: waiting })}</span>
          <Button variant="filled" onClick={() => setBooking(true)}>
            {t('pickupsPage.book')}
          </Button>
        </Notice>
      )}
      <DataList
        list={list}
        label={t('pickupsPage.title')}
        rowKey={(row: PickupRequest) => row.id}
        rowName={(row) => row.number}
        tabs={tabs.map((tab) => ({ value: tab, label: t(`pickupsPage.tab.${tab}`), count: counts?.[tab] }))}
        searchLabel={t('pickupsPage.search')}
        filters={
          <>
            <DateField field={list.filter('from', t('pickupsPage.from'))} />
            <DateField field={list.filter('to', t('pickupsPage.to'))} />
          </>
        }
        columns={[
          {
            id: 'number',
            header: t('pickupsPage.number'),
            card: 'title',
            phone: 'title',
            cell: (row) => (
              <TextButton ff="monospace" onClick={() => setOpenId(row.id)}>
                {row.number}
                {row.leg === 'return' && ` · ${t('pickupsPage.isReturn')}`}
              </TextButton>
            ),
          },
          {
            id: 'when',
            header: t('pickupsPage.when'),
            sort: 'date',
            phone: 'detail',
            phoneCell: (row) => `${format.shortDay(row.date)} · ${formatWindow(row.window)}`,
            cell: (row) => `${longDay(row.date)} · ${formatWindow(row.window)}`,
          },
          {
            id: 'where',
            header: t('pickupsPage.where'),
            cell: (row) => `${row.address.line1}, ${row.address.postcode} ${row.address.city}`,
          },
          {
            id: 'parcels',
            header: t('pickupsPage.parcels'),
            align: 'end',
            phone: 'end',
            phoneCell: (row) => t('pickupsPage.parcelCount', { count: row.parcelCount }),
            cell: (row) => format.number(row.parcelCount),
          },
          {
            id: 'status',
            header: t('pickupsPage.status'),
            phone: 'detailEnd',
            cell: (row) =>
              row.cancelledAt ? (
                <StatusPill look={{ tone: 'neutral', icon: 'cross' }} label={t('pickupsPage.cancelled')} />
              ) : (
                <StatusPill look={taskStatusLooks[row.status]} label={label(taskStatusLabels, row.status)} />
              ),
          },
        ]}
        empty={{ title: t('pickupsPage.empty'), text: t('pickupsPage.emptyHint') }}
      />
      {openId && <PickupDialog id={openId} onClose={() => setOpenId(null)} />}
      {booking && <BookDialog onClose={() => setBooking(false)} />}
    </>
  )
}
