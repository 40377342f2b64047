import { Button } from '@mantine/core'
import { countLimit } from '@waybill/contract/ground/paging'
import {
  type CodOwed,
  exportAllCodPayouts,
  exportCodOwed,
  listAllCodPayouts,
  listCodOwed,
  payOutCod,
  printAnyCodPayout,
} from '@waybill/contract/payments/cod-payouts'
import { searchEntries } from '@waybill/contract/wallet/ledger'
import { useState } from 'react'
import { Time } from '../../../components/display/time.tsx'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Grid, Panel, Row, Stack } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Figure, Note } from '../../../components/layout/text.tsx'
import { DataList, Pages } from '../../../components/list/data-list.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { usePages } from '../../../components/list/use-pages.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useCall } from '../../../lib/query.ts'
import { payoutSums } from './payout-sums.ts'
import { PayoutTable } from './payout-table.tsx'

/** Senders who are owed collected money, and their payouts. One button pays out one or many. */
export function CodTab() {
  const t = useT()
  const format = useFormat()
  const list = useList(listCodOwed)
  const { list: payoutPages, slice } = usePages({}, 20)
  const payouts = useCall(listAllCodPayouts, { query: slice }, { keepPrevious: true })
  const [selection, setSelection] = useState<readonly CodOwed[]>([])
  const sums = list.result.data
  const rows = payouts.data?.items ?? []
  return (
    <>
      {sums && (
        <Grid min={280} style={{ marginBlockEnd: 24 }}>
          <Panel gap={4} padding={20} title={t('cod.owedToSenders')}>
            <Figure>{format.money(sums.owedMinor, sums.currency)}</Figure>
            <Note>
              {sums.feeMinor === 0
                ? t('cod.noFee')
                : t('cod.feeEach', { amount: format.money(sums.feeMinor, sums.currency) })}
            </Note>
          </Panel>
        </Grid>
      )}
      <DataList
        list={list}
        label={t('cod.owedToSenders')}
        sheet={exportCodOwed}
        rowKey={(row: CodOwed) => row.accountId}
        rowName={(row) => row.accountName}
        bulkActions={[{ label: t('cod.payOut'), run: (some) => setSelection(some) }]}
        columns={[
          { id: 'account', header: t('codDoc.sender'), card: 'title', phone: 'title', cell: (row) => row.accountName },
          {
            id: 'parcels',
            header: t('codDoc.parcels'),
            align: 'end',
            phone: 'detailEnd',
            phoneCell: (row) => t('cashPage.parcels', { count: row.parcelCount }),
            cell: (row) => format.number(row.parcelCount),
          },
          { id: 'oldest', header: t('cod.oldest'), phone: 'detail', cell: (row) => <Time at={row.oldestAt} /> },
          {
            id: 'riders',
            header: t('cod.withRiders'),
            align: 'end',
            cell: (row) => (row.withRidersMinor === 0 ? '–' : format.money(row.withRidersMinor, row.currency)),
          },
          {
            id: 'owed',
            header: t('cod.owedAmount'),
            align: 'end',
            phone: 'end',
            cell: (row) => format.money(row.owedMinor, row.currency),
          },
          {
            id: 'pay',
            kind: 'work',
            header: t('list.actions'),
            align: 'end',
            cell: (row) => (
              <Button
                size="compact-sm"
                aria-label={t('cod.payOutTo', { name: row.accountName })}
                onClick={() => setSelection([row])}
              >
                {t('cod.payOut')}
              </Button>
            ),
          },
        ]}
        empty={{ title: t('cod.nothingOwed'), text: t('cod.nothingOwedHint') }}
      />
      {payouts.error && <ErrorPanel error={payouts.error} retry={() => void payouts.refetch()} />}
      {rows.length > 0 && (
        <Stack gap={12} style={{ marginBlockStart: 24 }}>
          <Row justify="between">
            <h2>{t('cod.payouts')}</h2>
            <DownloadExcel endpoint={exportAllCodPayouts} narrowing={{}} />
          </Row>
          <PayoutTable rows={rows} print={printAnyCodPayout} everySender />
          {payouts.data && payouts.data.total > rows.length && (
            <Pages list={payoutPages} page={payouts.data} countedTo={countLimit} />
          )}
        </Stack>
      )}
      {selection.length > 0 && <PayOut rows={selection} onClose={() => setSelection([])} />}
    </>
  )
}

const stale = [listCodOwed, listAllCodPayouts, searchEntries]

function PayOut({ rows, onClose }: { rows: readonly CodOwed[]; onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const callOnce = useCallOnce()
  const { totalSeenMinor, feesSeenMinor, withRidersMinor } = payoutSums(rows)
  const [first] = rows
  const money = (minor: number) => format.money(minor, first?.currency)
  const amount = money(totalSeenMinor - feesSeenMinor)
  const name = first?.accountName ?? ''
  const pay = useSend(
    () =>
      callOnce(payOutCod, {
        body: { accountIds: rows.map(({ accountId }) => accountId), totalSeenMinor, feesSeenMinor },
      }),
    {
      refresh: stale,
      refreshOnError: stale,
      success: ({ items }) =>
        t('cod.paidSaid', { amount: money(items.reduce((sum, { paidMinor }) => sum + paidMinor, 0)) }),
      onSuccess: onClose,
      onError: () => {
        onClose()
        return false
      },
    },
  )
  return (
    <Dialog
      title={
        rows.length === 1 ? t('cod.payOutOne', { amount, name }) : t('cod.payOutMany', { amount, count: rows.length })
      }
      onClose={onClose}
    >
      <Stack>
        <p>{t('cod.payOutText', { count: rows.length })}</p>
        {withRidersMinor > 0 && <Note>{t('cod.stillWithRiders', { amount: money(withRidersMinor) })}</Note>}
        {feesSeenMinor > 0 && (
          <Facts>
            <Fact label={t('cod.owedAmount')}>{money(totalSeenMinor)}</Fact>
            <Fact label={t('codDoc.fee')}>{money(-feesSeenMinor)}</Fact>
            <Fact label={t('codDoc.paid')}>{amount}</Fact>
          </Facts>
        )}
        <DialogFoot>
          <Button onClick={onClose}>{t('actions.cancel')}</Button>
          <Button variant="filled" loading={pay.pending} onClick={() => void pay.send()}>
            {t('cod.payOut')}
          </Button>
        </DialogFoot>
      </Stack>
    </Dialog>
  )
}
