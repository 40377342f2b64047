import { Button } from '@mantine/core'
import { getBilling, payCorporate } from '@waybill/contract/orders/monthly-billing'
import { getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { storeAwb } from '../../../lib/session.ts'
import { changedByCheckout } from '../../parcels/shared/changed-by-checkout.ts'
import { useExplainProblem } from './use-explain-problem.ts'

/** Adds the order to the company's monthly bill. */
export function MonthlyBilling({ order }: { order: OrderDetail }) {
  const t = useT()
  const format = useFormat()
  const callOnce = useCallOnce()
  const explainProblem = useExplainProblem(order.id)
  const bill = useSend(
    () => callOnce(payCorporate, { params: { id: order.id }, body: { expectedTotalMinor: order.totalMinor } }),
    {
      refresh: [...changedByCheckout, getBilling],
      refreshOnError: [getOrder, getBilling],
      onSuccess: () => storeAwb(order.parcels.map(({ id }) => id)),
      onError: (error) => explainProblem(error, 'charge'),
    },
  )
  return (
    <Stack>
      <Note>{t('billing.payHint')}</Note>
      <Buttons>
        <Button variant="filled" size="md" loading={bill.pending} onClick={() => void bill.send()}>
          {t('billing.pay', { amount: format.money(order.totalMinor, order.currency) })}
        </Button>
      </Buttons>
    </Stack>
  )
}
