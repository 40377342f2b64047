import { Button } from '@mantine/core'
import { memberUsage } from '@waybill/contract/accounts/company'
import {
  type Approval,
  approvalStatusLabels,
  approvalTabs,
  approveOrder,
  exportApprovals,
  listApprovals,
} from '@waybill/contract/orders/approvals'
import { getBilling } from '@waybill/contract/orders/monthly-billing'
import { getOrder, listOrders } from '@waybill/contract/orders/orders'
import { listParcels } from '@waybill/contract/parcels/list'
import { useState } from 'react'
import { OnlyFor } from '../../../components/access/only-for.tsx'
import { TextLink } from '../../../components/buttons/link.tsx'
import { confirm } from '../../../components/confirm.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { ApiError, call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'

import { DeclineDialog } from './decline-dialog.tsx'
import { approvalLooks } from './member-looks.ts'

/** Orders that wait for approval, and past decisions. */
export function ApprovalsPage() {
  const t = useT()
  return (
    <OnlyFor rule="corporate.pay" title={t('approvals.title')}>
      <Approvals />
    </OnlyFor>
  )
}

function Approvals() {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const list = useList(listApprovals)
  const counts = list.result.data?.counts
  const [declining, setDeclining] = useState<Approval | null>(null)
  const isDecidedTab = list.tab === 'decided'
  return (
    <>
      <PageHeader
        title={t('approvals.title')}
        description={t('approvals.lead')}
        actions={<DownloadExcel endpoint={exportApprovals} narrowing={list.narrowing} />}
      />
      <DataList
        list={list}
        // Notes and reasons are read in full: they are what the decision depends on.
        tall
        label={t('approvals.title')}
        tabs={approvalTabs.map((tab) => ({ value: tab, label: t(`approvals.tab.${tab}`), count: counts?.[tab] }))}
        rowKey={(row: Approval) => row.id}
        rowName={(row) => row.orderNumber}
        columns={[
          {
            id: 'order',
            header: t('fields.orderId'),
            card: 'title',
            whole: true,
            phone: 'title',
            phoneCell: (row) => (
              <TextLink to="/orders/$id" params={{ id: row.orderId }}>
                {row.orderNumber}
              </TextLink>
            ),
            cell: (row) => (
              <TextLink to="/orders/$id" params={{ id: row.orderId }}>
                {row.orderNumber}
              </TextLink>
            ),
          },
          {
            id: 'parcels',
            header: t('ordersPage.parcels'),
            align: 'end',
            cell: (row) => format.number(row.parcelCount),
          },
          {
            id: 'by',
            header: t('approvals.by'),
            phone: 'detail',
            phoneCell: (row) => row.requestedBy.name,
            cell: (row) => (
              <>
                {row.requestedBy.name}
                {row.note && <Quiet>“{row.note}”</Quiet>}
              </>
            ),
          },
          { id: 'requested', header: t('approvals.requestedAt'), cell: (row) => <Time at={row.requestedAt} /> },
          {
            id: 'amount',
            header: t('approvals.amount'),
            align: 'end',
            phone: 'end',
            cell: (row) => format.money(row.amountMinor, row.currency),
          },
          {
            id: 'status',
            // Those that wait have only one status; the notes need its room.
            ...(isDecidedTab ? { phone: 'detailEnd' as const } : { show: 'chosen' as const }),
            header: t('fields.status'),
            cell: (row) => (
              <StatusPill look={approvalLooks[row.status]} label={label(approvalStatusLabels, row.status)} />
            ),
          },
          ...(isDecidedTab
            ? [
                {
                  id: 'decidedBy',
                  header: t('approvals.decidedBy'),
                  cell: (row: Approval) => (
                    <>
                      {row.decidedBy}
                      {row.reason && <Quiet>“{row.reason}”</Quiet>}
                    </>
                  ),
                },
                {
                  id: 'decidedAt',
                  header: t('approvals.decidedAt'),
                  cell: (row: Approval) => row.decidedAt && <Time at={row.decidedAt} />,
                },
              ]
            : [
                {
                  id: 'until',
                  header: t('approvals.untilHeader'),
                  phone: 'detailEnd' as const,
                  phoneCell: (row: Approval) => t('approvals.expires', { when: format.relative(row.expiresAt) }),
                  cell: (row: Approval) => <Time at={row.expiresAt} />,
                },
                {
                  id: 'actions',
                  kind: 'work' as const,
                  header: t('approvals.decide'),
                  cell: (row: Approval) =>
                    row.decidable ? (
                      <Decide row={row} decline={() => setDeclining(row)} />
                    ) : (
                      <Quiet>{t('approvals.notYours')}</Quiet>
                    ),
                },
              ]),
        ]}
        empty={{ title: t(`approvals.empty.${isDecidedTab ? 'decided' : 'pending'}`), text: t('approvals.emptyHint') }}
      />
      {declining && <DeclineDialog row={declining} onClose={() => setDeclining(null)} />}
    </>
  )
}

function Decide({ row, decline }: { row: Approval; decline: () => void }) {
  const t = useT()
  const format = useFormat()
  const actionLabel = (label: string) => t('phrase.labelled', { label, value: row.orderNumber })
  /** Approves the total that the user saw. If it has changed, the user is asked about that of today. */
  const approveSeen = async (): Promise<boolean> => {
    let expectedTotalMinor = row.amountMinor
    for (;;) {
      try {
        await call(approveOrder, { params: { id: row.id }, body: { expectedTotalMinor } })
        return true
      } catch (error) {
        const today = error instanceof ApiError && error.code === 'price_changed' ? error.details.totalMinor : null
        if (typeof today !== 'number') throw error
        const [before, now] = [expectedTotalMinor, today].map((minor) => format.money(minor, row.currency))
        const isConfirmed = await confirm({
          title: t('cart.priceChanged'),
          message: t('cart.priceChangedText', { before, now }),
          action: t('cart.priceChangedAction', { now }),
        })
        if (!isConfirmed) return false
        expectedTotalMinor = today
      }
    }
  }
  const approve = useSend(approveSeen, {
    confirm: {
      title: t('approvals.approveTitle', { number: row.orderNumber }),
      message: t('approvals.approveText', {
        amount: format.money(row.amountMinor, row.currency),
        name: row.requestedBy.name,
      }),
      action: t('approvals.approve'),
    },
    refresh: [listApprovals, getBilling, memberUsage, getOrder, listOrders, listParcels],
    refreshOnError: [listApprovals],
    success: (isApproved) => (isApproved ? t('approvals.approved', { number: row.orderNumber }) : null),
  })
  return (
    <Buttons as="span">
      <Button size="compact-sm" aria-label={actionLabel(t('approvals.decline'))} onClick={decline}>
        {t('approvals.decline')}
      </Button>
      <Button
        size="compact-sm"
        variant="filled"
        aria-label={actionLabel(t('approvals.approve'))}
        loading={approve.pending}
        onClick={() => void approve.send()}
      >
        {t('approvals.approve')}
      </Button>
    </Buttons>
  )
}
