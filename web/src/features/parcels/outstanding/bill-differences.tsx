import { Button } from '@mantine/core'
import { getDashboard } from '@waybill/contract/dashboard/dashboard'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { getBilling } from '@waybill/contract/orders/monthly-billing'
import { getOrder, listOrders } from '@waybill/contract/orders/orders'
import { listParcels } from '@waybill/contract/parcels/list'
import { billOutstanding, listOutstanding, type OutstandingItem } from '@waybill/contract/parcels/outstanding'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { getWeighing } from '@waybill/contract/parcels/weighing'
import { notifyPaymentProblem } from '../../../components/feedback/payment-problem.ts'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'

type Billing = NonNullable<ResponseOf<typeof listOutstanding>['billing']>
type Props = { items: readonly OutstandingItem[]; totalMinor: number; currency: string; billing: Billing }

/** Why the selected items cannot be billed: a key under `paymentClosed.`; null if they can. */
function whyNotBilled({ items, totalMinor, billing }: Props): string | null {
  const { closed, availableMinor, memberLeftMinor } = billing
  if (closed !== null) return closed
  if (items.some(({ kind }) => kind === 'store')) return 'differences_only'
  if (totalMinor > availableMinor) return 'over_limit'
  return memberLeftMinor !== null && totalMinor > memberLeftMinor ? 'member_limit' : null
}

/** Puts the selected weight differences on the company's monthly bill. Empty for a company without monthly billing. */
export function BillDifferences(props: Props) {
  const { items, totalMinor, currency, billing } = props
  const t = useT()
  const format = useFormat()
  const callOnce = useCallOnce()
  const amount = format.money(totalMinor, currency)
  const parcelIds = items.map(({ parcelId }) => parcelId)
  const bill = useSend(() => callOnce(billOutstanding, { body: { parcelIds, totalSeenMinor: totalMinor } }), {
    refresh: [listOutstanding, getBilling, getDashboard, listParcels, getParcel, getWeighing, listOrders, getOrder],
    refreshOnError: [listOutstanding, getBilling],
    success: t('outstandingPage.billed', { amount }),
    onError: (error) => notifyPaymentProblem(error, 'charge'),
  })
  if (billing.closed === 'no_credit' || items.every(({ kind }) => kind === 'store')) return null
  const reason = whyNotBilled(props)
  if (reason !== null) return <Note>{t(`paymentClosed.${reason}`)}</Note>
  return (
    <Stack gap={8}>
      <div>
        <Button loading={bill.pending} onClick={() => void bill.send()}>
          {t('billing.pay', { amount })}
        </Button>
      </div>
      <Note>{t('billing.payHint')}</Note>
    </Stack>
  )
}
