import {
  exportFailedDeliveries,
  type FailedDelivery,
  failedDeliveryTabs,
  listFailedDeliveries,
} from '@waybill/contract/parcels/rider-tasks'
import { StaffParcelLink } from '../../../components/buttons/staff-parcel-link.tsx'
import { Remarks } from '../../../components/display/remarks.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Mono, Quiet } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { FailedAttemptChoice, FailedAttemptReason } from './failed-attempt-note.tsx'
import { nameAtDoor } from './same-door.ts'

/** The station's parcels with a failed delivery: for another attempt today or later, or without a decision. */
export function FailedDeliveries() {
  const t = useT()
  const format = useFormat()
  const list = useList(listFailedDeliveries)
  const counts = list.result.data?.counts
  const tab = failedDeliveryTabs.find((each) => each === list.tab) ?? 'due'
  return (
    <DataList
      tall
      list={list}
      label={t('failedDelivery.title')}
      sheet={exportFailedDeliveries}
      tabs={failedDeliveryTabs.map((value) => ({
        value,
        label: t(`failedDelivery.tab.${value}`),
        count: counts?.[value],
      }))}
      rowKey={(row: FailedDelivery) => row.parcelId}
      rowName={(row) => format.trackingNumber(row.trackingNumber)}
      columns={[
        {
          id: 'to',
          header: t('failedDelivery.to'),
          card: 'title',
          phone: 'title',
          phoneCell: ({ to }) => to && nameAtDoor(to),
          cell: ({ to }) => (
            <Stack gap={4} align="start">
              <strong>{to && nameAtDoor(to)}</strong>
              <Quiet>{to && [to.line1, to.line2, `${to.postcode} ${to.city}`].filter(Boolean).join(', ')}</Quiet>
              <Remarks text={to?.remarks} />
            </Stack>
          ),
        },
        {
          id: 'number',
          header: t('fields.trackingNumber'),
          phone: 'detail',
          phoneCell: (row) => <Mono>{format.trackingNumber(row.trackingNumber)}</Mono>,
          cell: (row) => (
            <Stack gap={4} align="start">
              <StaffParcelLink number={row.trackingNumber} />
              {row.riderName && <Quiet>{row.riderName}</Quiet>}
              {row.codAmountMinor !== null && (
                <span>{t('deliveriesPage.collect', { amount: format.money(row.codAmountMinor, row.currency) })}</span>
              )}
            </Stack>
          ),
        },
        {
          id: 'failed',
          header: t('failedDelivery.failed'),
          phone: 'detailEnd',
          phoneCell: ({ failedAttempt: { reason } }) => reason && t(`failureReason.${reason}`),
          cell: ({ failedAttempt }) => (
            <Stack gap={4} align="start">
              <FailedAttemptReason failure={failedAttempt} />
            </Stack>
          ),
        },
        {
          id: 'next',
          header: t('failedDelivery.next'),
          cell: ({ failedAttempt }) => (
            <Stack gap={4} align="start">
              <FailedAttemptChoice failure={failedAttempt} />
            </Stack>
          ),
        },
      ]}
      empty={{ title: t(`failedDelivery.empty.${tab}`), text: t('failedDelivery.emptyHint') }}
    />
  )
}
