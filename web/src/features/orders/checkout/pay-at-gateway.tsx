import { Button, NativeSelect } from '@mantine/core'
import { getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { cardChannels, gatewayChannels, payWithCard, payWithIpay88 } from '@waybill/contract/payments/payments'
import { useState } from 'react'
import { notifyPaymentProblem } from '../../../components/feedback/payment-problem.ts'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { postForm } from '../../../lib/browser/post-form.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { storeAwb } from '../../../lib/session.ts'
import { useOtherTime } from './use-explain-problem.ts'

type Props = { order: OrderDetail; method: 'ipay88' | 'credit_card' }

/** Payment by bank, e-wallet or card: the browser leaves for the gateway and returns to the payment's page. */
export function GatewayPayment({ order, method }: Props) {
  const t = useT()
  const format = useFormat()
  const card = cardChannels[order.currency]
  const [channel, setChannel] = useState(String(card ?? ''))
  const channels = order.currency === 'MYR' ? gatewayChannels : []
  const listChoices = (kind: 'bank' | 'wallet') =>
    channels.filter((each) => each.kind === kind).map(({ id, name }) => ({ value: String(id), label: name }))

  const callOnce = useCallOnce()
  const offerOtherTime = useOtherTime(order.id)
  const pay = useSend(
    () => {
      const params = { id: order.id }
      const body = { expectedTotalMinor: order.totalMinor }
      if (method === 'credit_card') return callOnce(payWithCard, { params, body })
      const gatewayPaymentId = channel ? { gatewayPaymentId: Number(channel) } : {}
      return callOnce(payWithIpay88, { params, body: { ...body, ...gatewayPaymentId } })
    },
    {
      refreshOnError: [getOrder],
      onSuccess: ({ action, fields }) => {
        // The notes to print next. The form leaves this page for the gateway, so they are stored first.
        storeAwb(order.parcels.map(({ id }) => id))
        postForm(action, fields)
      },
      onError: (error) => offerOtherTime(error) || notifyPaymentProblem(error, 'gateway'),
    },
  )

  return (
    <Stack>
      {method === 'ipay88' && channels.length > 0 && (
        <NativeSelect
          maw={360}
          label={t('fields.gatewayPaymentId')}
          value={channel}
          onChange={(event) => setChannel(event.currentTarget.value)}
          data={[
            ...(card ? [{ value: String(card), label: t('checkout.card') }] : []),
            { group: t('checkout.banks'), items: listChoices('bank') },
            { group: t('checkout.wallets'), items: listChoices('wallet') },
          ]}
        />
      )}
      <Note>{t('walletPage.gatewayHint')}</Note>
      <Buttons>
        <Button variant="filled" size="md" loading={pay.pending} onClick={() => void pay.send()}>
          {t('checkout.pay', { amount: format.money(order.totalMinor, order.currency) })}
        </Button>
      </Buttons>
    </Stack>
  )
}
