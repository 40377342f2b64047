import { Button } from '@mantine/core'
import { paymentStatusLabels } from '@waybill/contract/ground/enums/enums'
import { countLimit } from '@waybill/contract/ground/paging'
import {
  exportGatewayTroubles,
  type GatewayTrouble,
  gatewayTabs,
  listGatewayTroubles,
  reviewGatewayTrouble,
} from '@waybill/contract/payments/gateway'
import { useState } from 'react'
import { TextLink } from '../../../components/buttons/link.tsx'
import { Time } from '../../../components/display/time.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons } from '../../../components/layout/boxes.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { getCountedTabs } from '../../../components/list/list-toolbar.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { GatewayDialog } from './gateway-dialog.tsx'

/** Gateway responses that do not match our books: expected and received amounts, and the resolution. */
export function GatewayTab() {
  const t = useT()
  const list = useList(listGatewayTroubles)
  const [dialogRow, setDialogRow] = useState<GatewayTrouble | null>(null)
  return (
    <>
      <DataList
        tall
        list={list}
        label={t('financePage.gateway')}
        sheet={exportGatewayTroubles}
        tabs={getCountedTabs(gatewayTabs, (tab) => t(`gatewayPage.tabs.${tab}`), list.result.data?.counts)}
        searchLabel={t('gatewayPage.search')}
        countedTo={countLimit}
        rowKey={(row: GatewayTrouble) => row.id}
        rowName={(row) => row.expected?.reference ?? row.came.reference ?? row.id}
        columns={[
          {
            id: 'what',
            header: t('gatewayPage.what'),
            card: 'title',
            phone: 'title',
            phoneCell: (row) => <Trouble row={row} />,
            cell: (row) => <What row={row} />,
          },
          {
            id: 'expected',
            header: t('gatewayPage.expected'),
            phone: 'detail',
            phoneCell: ({ expected }) => expected?.accountName ?? t('gatewayPage.noPayment'),
            cell: (row) => <Expected row={row} />,
          },
          { id: 'came', header: t('gatewayPage.came'), cell: (row) => <Came row={row} /> },
          {
            id: 'review',
            header: t('gatewayPage.review'),
            phone: 'detailEnd',
            phoneCell: (row) => <Time at={row.at} />,
            cell: (row) => <Review row={row} />,
          },
          {
            id: 'work',
            kind: 'work',
            header: t('list.actions'),
            align: 'end',
            cell: (row) => <Actions row={row} deal={() => setDialogRow(row)} />,
          },
        ]}
        empty={{ title: t('gatewayPage.empty'), text: t('gatewayPage.emptyHint') }}
      />
      {dialogRow && <GatewayDialog row={dialogRow} onClose={() => setDialogRow(null)} />}
    </>
  )
}

type RowProps = { row: GatewayTrouble }

function Trouble({ row }: RowProps) {
  const t = useT()
  const trouble = t(`gatewayTrouble.${row.trouble}`)
  if (!row.refusal) return trouble
  return t('gatewayPage.because', { trouble, reason: t(`gatewayRefusal.${row.refusal}`) })
}

function What({ row }: RowProps) {
  const t = useT()
  return (
    <>
      <Trouble row={row} />
      <Quiet>{t(`gatewayPage.source.${row.source}`)}</Quiet>
      <Quiet>
        <Time at={row.at} />
      </Quiet>
    </>
  )
}

function Expected({ row: { expected } }: RowProps) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  if (!expected) return <Quiet>{t('gatewayPage.noPayment')}</Quiet>
  return (
    <>
      <strong>{format.money(expected.amountMinor, expected.currency)}</strong>
      <Quiet>
        {expected.orderNumber ?? t('gatewayPage.topUp')} ·{' '}
        <TextLink to="/staff/accounts/$id" params={{ id: expected.accountId }} inherit>
          {expected.accountName}
        </TextLink>
      </Quiet>
      <Quiet>{t('gatewayPage.money', { status: label(paymentStatusLabels, expected.status) })}</Quiet>
      <Quiet>{t('gatewayPage.reference', { reference: expected.reference })}</Quiet>
    </>
  )
}

function Came({ row: { came, expected } }: RowProps) {
  const t = useT()
  const format = useFormat()
  // The gateway's own text may be anything; the expected currency is written as everywhere else.
  const currency = came.currency === expected?.currency ? format.currencySymbol(expected?.currency) : came.currency
  return (
    <>
      <strong>{[currency, came.amount].filter(Boolean).join(' ') || t('gatewayPage.noAmount')}</strong>
      {came.verdict && <Quiet>{t(`gatewaySaid.${came.verdict}`)}</Quiet>}
      {came.reference && came.reference !== expected?.reference && (
        <Quiet>{t('gatewayPage.reference', { reference: came.reference })}</Quiet>
      )}
      {came.transactionId && <Quiet>{t('gatewayPage.gatewayNumber', { number: came.transactionId })}</Quiet>}
      {came.text && <Quiet as="q">{came.text}</Quiet>}
    </>
  )
}

function Review({ row }: RowProps) {
  const t = useT()
  const format = useFormat()
  return (
    <>
      {t(`gatewayReview.${row.review}`)}
      {row.reviewNote && <Quiet>{row.reviewNote}</Quiet>}
      {row.reviewedAt && row.reviewedBy && (
        <Quiet>{t('gatewayPage.reviewedBy', { when: format.dateTime(row.reviewedAt), who: row.reviewedBy })}</Quiet>
      )}
    </>
  )
}

function Actions({ row, deal }: RowProps & { deal: () => void }) {
  const t = useT()
  const mark = useSend(
    (review: GatewayTrouble['review']) =>
      call(reviewGatewayTrouble, {
        params: { id: row.id },
        body: { version: row.version, review, note: row.reviewNote },
      }),
    { refresh: [listGatewayTroubles], refreshOnError: [listGatewayTroubles] },
  )
  const name = row.expected?.reference ?? row.came.reference ?? row.id
  if (row.review === 'handled') {
    return (
      <Button
        size="sm"
        loading={mark.pending}
        aria-label={t('phrase.labelled', { label: t('gatewayPage.again'), value: name })}
        onClick={() => void mark.send('open')}
      >
        {t('gatewayPage.again')}
      </Button>
    )
  }
  return (
    <Buttons as="span" align="end">
      {row.review === 'open' && (
        <Button
          size="sm"
          loading={mark.pending}
          aria-label={t('phrase.labelled', { label: t('gatewayPage.seen'), value: name })}
          onClick={() => void mark.send('seen')}
        >
          {t('gatewayPage.seen')}
        </Button>
      )}
      <Button size="sm" aria-label={t('phrase.labelled', { label: t('gatewayPage.deal'), value: name })} onClick={deal}>
        {t('gatewayPage.deal')}
      </Button>
    </Buttons>
  )
}
