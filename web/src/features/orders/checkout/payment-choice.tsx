import { type PaymentMethod, paymentMethodLabels } from '@waybill/contract/ground/enums/enums'
import type { OrderDetail } from '@waybill/contract/orders/orders'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { useState } from 'react'
import { useWhyClosed } from '../../../components/access/why-closed.ts'
import { ChoiceCards } from '../../../components/fields/choice-cards.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'
import { LegalLinks } from '../../legal/shared/legal-links.tsx'
import { AskApproval } from './ask-approval.tsx'
import { GatewayPayment } from './pay-at-gateway.tsx'
import { MonthlyBilling } from './pay-by-month.tsx'
import { StorePayment } from './pay-in-store.tsx'
import { CreditPayment, FreeOrder } from './pay-with-credits.tsx'
import { findUsualMethod } from './usual-method.ts'

/** The payment methods: available ones first, the others with the reason why not. */
export function PaymentChoice({ order }: { order: OrderDetail }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const mayPay = useMay('pay')
  const whyClosed = useWhyClosed('paymentClosed.no_permission')
  const wallet = useCall(getWallet, {}, { enabled: useMay('wallet.view') })
  const open = order.methods.filter((choice) => choice.open)
  const unavailable = order.methods.filter((choice) => !choice.open)
  const ask = order.approval?.needed ? order.approval : null
  const [selection, setSelection] = useState<PaymentMethod | null>(null)
  const usual = findUsualMethod(
    open.map((choice) => choice.method),
    order.totalMinor,
    wallet.data?.balanceMinor,
  )
  // If the company's approval is needed first, nothing is preselected; nor before the balance is known.
  const method = selection ?? (ask || wallet.isLoading ? null : usual)

  const getText = (value: PaymentMethod) =>
    value === 'express_credit' && wallet.data
      ? t('checkout.balance', {
          amount: format.credits(wallet.data.balanceMinor),
          worth: format.money(wallet.data.balanceMinor),
        })
      : t(`checkout.method.${value}`)

  if (!mayPay) return <Note>{t(whyClosed)}</Note>
  if (order.totalMinor === 0) {
    return (
      <Stack gap={20}>
        <FreeOrder order={order} />
        <LegalLinks lead={t('legal.byConfirming')} kinds={['terms']} />
      </Stack>
    )
  }
  return (
    <Stack gap={20}>
      {ask && <AskApproval order={order} approval={ask} />}
      {ask && open.length > 0 && <h3>{t('approvals.otherWays')}</h3>}
      <ChoiceCards
        legend={t('checkout.how')}
        hiddenLegend
        name="method"
        value={method}
        onChange={(value) => setSelection(value as PaymentMethod)}
        choices={open.map(({ method: value }) => ({
          value,
          title: label(paymentMethodLabels, value),
          text: getText(value),
        }))}
      />
      {method === 'express_credit' && <CreditPayment order={order} wallet={wallet.data ?? null} />}
      {method === 'monthly_billing' && <MonthlyBilling order={order} />}
      {(method === 'ipay88' || method === 'credit_card') && (
        <GatewayPayment key={method} order={order} method={method} />
      )}
      {method === 'store' && <StorePayment order={order} />}
      <LegalLinks lead={t('legal.byPaying')} kinds={['terms']} />
      {unavailable.length > 0 && (
        <Stack as="section" gap={8} aria-label={t('checkout.closed')}>
          <h3>{t('checkout.closed')}</h3>
          <Stack as="dl" gap={8}>
            {unavailable.map(({ method: value, reason }) => (
              <div key={value}>
                <dt>{label(paymentMethodLabels, value)}</dt>
                <Note as="dd">{t(`paymentClosed.${reason}`)}</Note>
              </div>
            ))}
          </Stack>
        </Stack>
      )}
    </Stack>
  )
}
