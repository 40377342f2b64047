import {
  type Leg,
  type OrderStatus,
  orderStatusLabels,
  type ParcelStatus,
  parcelStatusLabels,
} from '@waybill/contract/ground/enums/parcel-enums'
import { statusLabel } from '@waybill/contract/ground/status/status-label'
import { orderStatusLooks, parcelStatusLooks } from '@waybill/contract/ground/status/status-look'
import { useFormat } from '../../lib/format.ts'
import { useLanguage, useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { Quiet } from '../layout/text.tsx'
import { StatusPill } from './status-pill.tsx'

type Facts = { status: OrderStatus; paidMinor: number; totalMinor: number; waitsForApproval: boolean }

/**
 * An order's status. One that waits for an approval, or a paid one that waits for the difference of a re-weighed
 * parcel, must not look unpaid.
 */
export function OrderPill({ order }: { order: Facts }) {
  const t = useT()
  const label = useLabel()
  const { status, paidMinor, totalMinor, waitsForApproval } = order
  const differs = status === 'outstanding' && paidMinor > 0 && paidMinor >= totalMinor
  const words = waitsForApproval ? t('approvals.waitsTitle') : differs ? t('ordersPage.differenceDue') : null
  return <StatusPill look={orderStatusLooks[status]} label={words ?? label(orderStatusLabels, status)} />
}

type Refunds = { currency: string; totalMinor: number; refundedMinor: number; refundPendingMinor: number }

/** The part of an order that was refunded, and what staff still have to pay to its card. The pill says the whole. */
export function OrderRefunds({ order }: { order: Refunds }) {
  const t = useT()
  const format = useFormat()
  const { currency, totalMinor, refundedMinor, refundPendingMinor } = order
  const doneMinor = refundedMinor - refundPendingMinor
  return (
    <>
      {doneMinor > 0 && doneMinor < totalMinor && (
        <Quiet>
          {t('ordersPage.refunded')} {format.money(doneMinor, currency)}
        </Quiet>
      )}
      {refundPendingMinor > 0 && (
        <Quiet>
          {t('refund.status.requested')} {format.money(refundPendingMinor, currency)}
        </Quiet>
      )}
    </>
  )
}

/** A parcel's status. One whose checkout waits for an approval must not look as if its sender had to pay. */
export function ParcelPill({
  parcel: { status, leg },
  waitsForApproval,
}: {
  parcel: { status: ParcelStatus; leg: Leg }
  waitsForApproval: boolean
}) {
  const t = useT()
  const language = useLanguage()
  return (
    <StatusPill
      look={parcelStatusLooks[status]}
      label={waitsForApproval ? t('approvals.waitsTitle') : statusLabel(parcelStatusLabels, status, leg, language)}
    />
  )
}
