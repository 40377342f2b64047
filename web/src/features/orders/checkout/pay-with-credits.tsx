import { Button } from '@mantine/core'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { pin } from '@waybill/contract/ground/fields'
import { getOrder, listOrders, type OrderDetail } from '@waybill/contract/orders/orders'
import { cartCount, getCart } from '@waybill/contract/parcels/cart'
import { listParcels } from '@waybill/contract/parcels/list'
import { payWithCredits } from '@waybill/contract/payments/payments'
import { getWallet } from '@waybill/contract/wallet/wallet'
import * as z from 'zod/mini'
import { CodeField } from '../../../components/form/code-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { ButtonLink } from '../../../components/link.tsx'
import { notifyPaymentProblem } from '../../../components/payment-problem.ts'
import { ApiError, call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useOnce } from '../../../lib/once.ts'
import { useChanged } from '../../../lib/query.ts'
import classes from '../orders.module.css'

const pinForm = z.object({ pin })

type Props = {
  order: OrderDetail
  /** Null while it is not known, or for who may pay but not look into the wallet. */
  wallet: ResponseOf<typeof getWallet> | null
}

/** Paying from the wallet with its PIN; where something is missing for that, the way to it. */
export function CreditPayment({ order, wallet }: Props) {
  const t = useT()
  const format = useFormat()
  if (wallet && wallet.balanceMinor < order.totalMinor) {
    return (
      <div className={classes.missing}>
        <p>{t('checkout.tooLow', { amount: format.credits(order.totalMinor - wallet.balanceMinor) })}</p>
        <ButtonLink
          to="/wallet/top-up"
          search={{ amount: order.totalMinor - wallet.balanceMinor, next: `/checkout/${order.id}` } as never}
          variant="filled"
        >
          {t('checkout.topUp')}
        </ButtonLink>
      </div>
    )
  }
  if (wallet && !wallet.pinSet) {
    return (
      <div className={classes.missing}>
        <p>{t('checkout.noPin')}</p>
        <ButtonLink to="/wallet" variant="filled">
          {t('checkout.setPin')}
        </ButtonLink>
      </div>
    )
  }
  if (wallet?.lockedUntil && Date.parse(wallet.lockedUntil) > Date.now()) {
    return (
      <div className={classes.missing}>
        <p>{t('checkout.locked', { time: format.time(wallet.lockedUntil) })}</p>
      </div>
    )
  }
  return <PinForm order={order} />
}

function PinForm({ order }: { order: OrderDetail }) {
  const t = useT()
  const format = useFormat()
  const changed = useChanged()
  const once = useOnce()
  const form = useContractForm({
    schema: pinForm,
    initial: { pin: '' },
    onSubmit: async ({ pin: typed }) => {
      const asked = { params: { id: order.id }, body: { pin: typed, expectedTotalMinor: order.totalMinor } }
      await once(asked, (request) => call(payWithCredits, request)).catch((error: unknown) => {
        throw atPin(error, (count) => t('checkout.triesLeft', { count }))
      })
      await changed(getOrder, getWallet, getCart, cartCount, listOrders, listParcels)
    },
    onError: (error) => {
      if (notifyPaymentProblem(error, 'charge')) {
        // What was paid without our knowing shows by itself; the PIN stays, for trying again with the same request.
        void changed(getWallet, getOrder)
        return true
      }
      if (!(error instanceof ApiError)) return false
      form.set('pin', '')
      // The state of the wallet or the order may be another than the page shows.
      if (error.code !== 'validation') void changed(getWallet, getOrder)
      return false
    },
  })
  return (
    <form {...form.props} className={classes.pay}>
      <CodeField field={form.field('pin', t('checkout.pin'))} mask />
      <div className={classes.buttons}>
        <Button type="submit" variant="filled" size="md" loading={form.submitting}>
          {t('checkout.pay', { amount: format.credits(order.totalMinor) })}
        </Button>
        <ButtonLink to="/wallet" variant="subtle" color="gray">
          {t('checkout.forgotPin')}
        </ButtonLink>
      </div>
    </form>
  )
}

/** A wrong PIN is said at its boxes, with the tries that are left; everything else stays what it is. */
function atPin(error: unknown, triesLeft: (count: number) => string): unknown {
  if (!(error instanceof ApiError) || error.code !== 'pin_wrong') return error
  const { statusCode, code, message, details } = error
  const left = typeof details.attemptsLeft === 'number' ? ` ${triesLeft(details.attemptsLeft)}` : ''
  return new ApiError({ statusCode, code, message, details, errors: [{ field: 'pin', message: message + left }] })
}
