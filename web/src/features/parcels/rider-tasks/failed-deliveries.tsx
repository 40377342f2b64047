import { type FailedDelivery, failedDeliveryTabs, listFailedDeliveries } from '@waybill/contract/parcels/rider-tasks'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { Remarks } from '../../../components/remarks.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from '../scanning/scan.module.css'
import { FailedAttemptChoice, FailedAttemptReason } from './failed-attempt-note.tsx'

/** The station's parcels whose delivery failed: to try again today, on a later day, or without an answer yet. */
export function FailedDeliveries() {
  const t = useT()
  const format = useFormat()
  const list = useList(listFailedDeliveries)
  const counts = list.result.data?.counts
  const tab = failedDeliveryTabs.find((each) => each === list.tab) ?? 'due'
  return (
    <DataList
      list={list}
      label={t('failedDelivery.title')}
      tabs={failedDeliveryTabs.map((value) => ({
        value,
        label: t(`failedDelivery.tab.${value}`),
        count: counts?.[value],
      }))}
      rowKey={(row: FailedDelivery) => row.parcelId}
      columns={[
        {
          id: 'to',
          header: t('failedDelivery.to'),
          card: 'title',
          cell: ({ to }) => (
            <div className={classes.lines}>
              <strong>{to?.contactName}</strong>
              <span className={classes.quiet}>
                {to && [to.line1, to.line2, `${to.postcode} ${to.city}`].filter(Boolean).join(', ')}
              </span>
              <Remarks text={to?.remarks} />
            </div>
          ),
        },
        {
          id: 'number',
          header: t('fields.trackingNumber'),
          cell: (row) => (
            <div className={classes.lines}>
              <span className={classes.mono}>{format.trackingNumber(row.trackingNumber)}</span>
              {row.riderName && <span className={classes.quiet}>{row.riderName}</span>}
              {row.codAmountMinor !== null && (
                <span>{t('deliveriesPage.collect', { amount: format.money(row.codAmountMinor, row.currency) })}</span>
              )}
            </div>
          ),
        },
        {
          id: 'failed',
          header: t('failedDelivery.failed'),
          cell: ({ failedAttempt }) => (
            <div className={classes.lines}>
              <FailedAttemptReason failure={failedAttempt} />
            </div>
          ),
        },
        {
          id: 'next',
          header: t('failedDelivery.next'),
          cell: ({ failedAttempt }) => (
            <div className={classes.lines}>
              <FailedAttemptChoice failure={failedAttempt} />
            </div>
          ),
        },
      ]}
      empty={{ title: t(`failedDelivery.empty.${tab}`), text: t('failedDelivery.emptyHint') }}
    />
  )
}
