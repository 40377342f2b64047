import { Button } from '@mantine/core'
import { paymentMethodLabels } from '@waybill/contract/ground/enums/enums'
import { text } from '@waybill/contract/ground/fields'
import { countLimit } from '@waybill/contract/ground/paging'
import {
  exportRefunds,
  failRefund,
  listRefunds,
  type RefundTask,
  refundStatuses,
  settleRefund,
} from '@waybill/contract/orders/refunds'
import { useState } from 'react'
import * as z from 'zod/mini'
import { CopyNumber } from '../../../components/display/copy-number.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Mono, Quiet } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'

type Outcome = 'done' | 'failed'

const looks = {
  requested: { tone: 'waiting', icon: 'clock' },
  done: { tone: 'success', icon: 'check' },
  failed: { tone: 'danger', icon: 'cross' },
} as const

/**
 * Refunds to cards, which staff pay back: recorded with the bank's reference, or credited to the wallet if the bank
 * refuses.
 */
export function RefundsTab() {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const list = useList(listRefunds, { filters: ['status'] })
  const [settlement, setSettlement] = useState<{ task: RefundTask; outcome: Outcome } | null>(null)
  return (
    <>
      <DataList
        tall
        list={list}
        label={t('financePage.refunds')}
        countedTo={countLimit}
        sheet={exportRefunds}
        searchLabel={t('financePage.search')}
        rowKey={(row: RefundTask) => row.id}
        rowName={(row) => row.orderNumber}
        filters={
          <SelectField
            field={list.filter('status')}
            choices={refundStatuses.map((value) => ({ value, label: t(`refund.status.${value}`) }))}
          />
        }
        columns={[
          {
            id: 'account',
            header: t('financePage.account'),
            card: 'title',
            phone: 'title',
            phoneCell: (row) => row.accountName,
            cell: (row) => (
              <>
                <span style={{ whiteSpace: 'nowrap' }}>{row.accountName}</span>
                <Quiet>
                  {t('financePage.asked')} <Time at={row.createdAt} relative={false} />
                </Quiet>
              </>
            ),
          },
          {
            id: 'order',
            header: t('financePage.order'),
            phone: 'detail',
            phoneCell: (row) => <Mono>{row.orderNumber}</Mono>,
            cell: (row) => (
              <>
                <Mono>{row.orderNumber}</Mono>
                <Quiet>
                  <Mono>{row.creditNoteNumber}</Mono>
                </Quiet>
              </>
            ),
          },
          {
            id: 'payment',
            header: t('financePage.payment'),
            cell: (row) => (
              <>
                {row.paymentMethod && label(paymentMethodLabels, row.paymentMethod)}
                {row.paymentReference && (
                  <Quiet>
                    <CopyNumber value={row.paymentReference} />
                  </Quiet>
                )}
                {row.gatewayTransaction && (
                  <Quiet>{t('financePage.gatewayNumber', { number: row.gatewayTransaction })}</Quiet>
                )}
              </>
            ),
          },
          {
            id: 'amount',
            header: t('financePage.amount'),
            sort: 'amountMinor',
            align: 'end',
            phone: 'end',
            cell: (row) => format.money(row.amountMinor, row.currency),
          },
          {
            id: 'status',
            header: t('financePage.status'),
            phone: 'detailEnd',
            phoneCell: (row) => (
              <StatusPill look={looks[row.status]} label={t(`financePage.refundState.${row.status}`)} />
            ),
            cell: (row) => (
              <>
                <StatusPill look={looks[row.status]} label={t(`financePage.refundState.${row.status}`)} />
                <Quiet style={{ whiteSpace: 'normal', maxWidth: 140 }}>{row.bankReference ?? row.note}</Quiet>
              </>
            ),
          },
          {
            id: 'work',
            kind: 'work',
            header: t('list.actions'),
            align: 'end',
            cell: (row) =>
              row.status === 'requested' && (
                <Stack as="span" gap={4} style={{ width: 'max-content', marginInlineStart: 'auto' }}>
                  <Button size="compact-sm" onClick={() => setSettlement({ task: row, outcome: 'failed' })}>
                    {t('financePage.failed')}
                  </Button>
                  <Button size="compact-sm" onClick={() => setSettlement({ task: row, outcome: 'done' })}>
                    {t('financePage.done')}
                  </Button>
                </Stack>
              ),
          },
        ]}
        empty={{ title: t('financePage.empty'), text: t('financePage.emptyHint') }}
      />
      {settlement && <Settle {...settlement} onClose={() => setSettlement(null)} />}
    </>
  )
}

const forms = { done: z.object({ words: text(80) }), failed: z.object({ words: text(200) }) }

function Settle({ task, outcome, onClose }: { task: RefundTask; outcome: Outcome; onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const form = useContractForm({
    schema: forms[outcome],
    initial: { words: '' },
    onSubmit: ({ words }): Promise<unknown> => {
      const params = { id: task.id }
      const { version } = task
      if (outcome === 'done') return call(settleRefund, { params, body: { version, bankReference: words } })
      return call(failRefund, { params, body: { version, note: words } })
    },
    refresh: [listRefunds],
    refreshOnError: [listRefunds],
    success: t(`financePage.${outcome}Said`),
    onSuccess: onClose,
  })
  const vars = { amount: format.money(task.amountMinor, task.currency), name: task.accountName }
  return (
    <SaveDialog
      title={t(`financePage.${outcome}Title`, vars)}
      onClose={onClose}
      form={form}
      save={t(`financePage.${outcome}Act`)}
    >
      <p>{t(`financePage.${outcome}Text`)}</p>
      <Facts>
        <Fact label={t('financePage.order')}>
          <Mono>{task.orderNumber}</Mono>
        </Fact>
        <Fact label={t('financePage.paymentReference')}>
          {task.paymentReference && <CopyNumber value={task.paymentReference} />}
        </Fact>
        <Fact label={t('financePage.gatewayTransaction')}>
          {task.gatewayTransaction && <CopyNumber value={task.gatewayTransaction} />}
        </Fact>
      </Facts>
      <TextField
        field={form.field('words', t(outcome === 'done' ? 'financePage.bankReference' : 'financePage.note'))}
        data-autofocus
      />
    </SaveDialog>
  )
}
