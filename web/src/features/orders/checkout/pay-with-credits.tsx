import { Button } from '@mantine/core'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { pin } from '@waybill/contract/ground/fields'
import type { Translate } from '@waybill/contract/ground/validation'
import { getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { payWithCredits } from '@waybill/contract/payments/payments'
import { getWallet } from '@waybill/contract/wallet/wallet'
import * as z from 'zod/mini'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { CodeField } from '../../../components/fields/code-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Buttons, Stack } from '../../../components/layout/boxes.tsx'
import { Notice } from '../../../components/layout/text.tsx'
import { ApiError } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useRefresh } from '../../../lib/query.ts'
import { serverNow } from '../../../lib/time/server-clock.ts'
import { changedByCheckout } from '../../parcels/shared/changed-by-checkout.ts'
import { PinButton } from '../../wallet/shared/pin-button.tsx'
import { useExplainProblem } from './use-explain-problem.ts'

const pinForm = z.object({ pin })

type Props = {
  order: OrderDetail
  /** Null while it loads, and for a user who may pay but not see the wallet. */
  wallet: ResponseOf<typeof getWallet> | null
}

/** Payment from the wallet with its PIN, or what is missing first: credits, or the PIN. */
export function CreditPayment({ order, wallet }: Props) {
  const t = useT()
  const format = useFormat()
  if (wallet && wallet.balanceMinor < order.totalMinor) {
    return (
      <Notice as="div" tone="waiting">
        <p>{t('checkout.tooLow', { amount: format.credits(order.totalMinor - wallet.balanceMinor) })}</p>
        <ButtonLink
          to="/wallet/top-up"
          search={{ amount: order.totalMinor - wallet.balanceMinor, next: `/checkout/${order.id}` }}
          variant="filled"
        >
          {t('checkout.topUp')}
        </ButtonLink>
      </Notice>
    )
  }
  if (wallet && !wallet.pinSet) {
    return (
      <Notice as="div" tone="waiting">
        <p>{t('checkout.noPin')}</p>
        <PinButton task="set" variant="filled">
          {t('checkout.setPin')}
        </PinButton>
      </Notice>
    )
  }
  if (wallet?.lockedUntil && Date.parse(wallet.lockedUntil) > serverNow()) {
    return (
      <Notice as="div" tone="waiting">
        <p>{t('checkout.locked', { time: format.time(wallet.lockedUntil) })}</p>
      </Notice>
    )
  }
  return <PinForm order={order} />
}

function PinForm({ order }: { order: OrderDetail }) {
  const t = useT()
  const format = useFormat()
  const refresh = useRefresh()
  const callOnce = useCallOnce()
  const explainProblem = useExplainProblem(order.id)
  const form = useContractForm({
    schema: pinForm,
    initial: { pin: '' },
    onSubmit: ({ pin: digits }) => {
      const request = { params: { id: order.id }, body: { pin: digits, expectedTotalMinor: order.totalMinor } }
      return callOnce(payWithCredits, request).catch((error: unknown) => {
        throw atPin(error, t)
      })
    },
    refresh: [...changedByCheckout, getWallet],
    onError: (error) => {
      // The PIN stays, so that a retry is the same request.
      if (explainProblem(error, 'charge')) return true
      if (!(error instanceof ApiError)) return false
      form.set('pin', '')
      // Otherwise the page keeps showing a wallet or an order that has changed meanwhile.
      if (error.code !== 'validation') void refresh(getWallet, getOrder)
      return false
    },
  })
  return (
    <Stack {...form.props} as="form">
      <CodeField field={form.field('pin', t('checkout.pin'))} mask />
      <Buttons>
        <Button type="submit" variant="filled" size="md" loading={form.submitting}>
          {t('checkout.pay', { amount: format.credits(order.totalMinor) })}
        </Button>
        <PinButton task="forget" variant="subtle" color="gray">
          {t('checkout.forgotPin')}
        </PinButton>
      </Buttons>
    </Stack>
  )
}

/** Turns a wrong PIN into an error of its field, with the remaining attempts. Any other error is unchanged. */
function atPin(error: unknown, t: Translate): unknown {
  if (!(error instanceof ApiError) || error.code !== 'pin_wrong') return error
  const { statusCode, code, message, details } = error
  const count = details.attemptsLeft
  const text =
    typeof count === 'number'
      ? t('phrase.sentences', { first: message, second: t('checkout.triesLeft', { count }) })
      : message
  return new ApiError({ statusCode, code, message, details, errors: [{ field: 'pin', message: text }] })
}

/** Confirms an order that costs nothing: no method to choose, and no PIN. */
export function FreeOrder({ order }: { order: OrderDetail }) {
  const t = useT()
  const callOnce = useCallOnce()
  const explainProblem = useExplainProblem(order.id)
  const confirm = useSend(
    () => callOnce(payWithCredits, { params: { id: order.id }, body: { expectedTotalMinor: order.totalMinor } }),
    {
      refresh: changedByCheckout,
      refreshOnError: [getOrder],
      onError: (error) => explainProblem(error, 'booking'),
    },
  )
  return (
    <Stack>
      <p>{t('paymentClosed.nothing_to_pay')}</p>
      <Buttons>
        <Button variant="filled" size="md" loading={confirm.pending} onClick={() => void confirm.send()}>
          {t('checkout.confirm')}
        </Button>
      </Buttons>
    </Stack>
  )
}
