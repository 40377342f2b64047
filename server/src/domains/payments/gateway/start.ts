/** Starts gateway payments. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import { formatMoney } from '@waybill/contract/ground/format'
import type { Translate } from '@waybill/contract/ground/validation'
import type { GatewayForm, payWithIpay88 } from '@waybill/contract/payments/payments'
import type { topUp } from '@waybill/contract/wallet/wallet'
import { type Tx, tx } from '../../../db/pool.ts'
import { runWrites } from '../../../db/writes.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { addJob } from '../../../jobs/jobs.ts'
import { later, minutes } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { findUserById, lockOpenAccount } from '../../accounts/service.ts'
import { paymentMinutes } from '../../orders/rules.ts'
import { beginGatewayPayment, lockForPayment, requireMethodOpen } from '../../orders/settlement.ts'
import { topUpBonus } from '../../wallet/rules.ts'
import { newPayment, paymentsWrite } from '../queries.ts'
import { gatewayChannel } from '../rules.ts'
import { requestFields } from './ipay88.ts'

/** The paths of the gateway's posts, relative to the portal's public URL. */
const posts = { response: '/api/public/payments/ipay88/response', backend: '/api/public/payments/ipay88/backend' }

/** The caller, the texts of their language, and the idempotency key that stores the response. */
export type Asking = { caller: CustomerCaller; t: Translate; locale: 'en' | 'cn_zh'; idempotency: Idempotency }

type Start = {
  id: string
  purpose: 'order' | 'topup'
  orderId: string | null
  method: 'ipay88' | 'credit_card'
  channel: number
  amountMinor: number
  bonusMinor?: number
  currency: string
  description: string
  expiresAt: Date
}

/** Inserts a pending payment and the job that ends it. Returns the signed form. */
async function begin(deps: Deps, trx: Tx, { caller, idempotency }: Asking, start: Start): Promise<GatewayForm> {
  const user = await findUserById(trx, caller.userId)
  if (!user) throw new AppError('session_expired')
  const payment = newPayment({
    ...start,
    accountId: caller.accountId,
    createdBy: caller.userId,
    at: deps.clock.now(),
  })
  await runWrites(trx, [paymentsWrite([payment])])
  await addJob(trx, 'payments:expire', { paymentId: start.id }, { runAt: start.expiresAt })
  const { ipay88, http } = deps.config
  const portal = http.apiHost ?? http.publicUrl
  const form: GatewayForm = {
    paymentId: start.id,
    action: ipay88.entryUrl,
    method: 'POST',
    fields: requestFields(ipay88, {
      reference: payment.reference,
      amountMinor: start.amountMinor,
      currency: start.currency,
      channel: start.channel,
      description: start.description,
      userName: user.name,
      userEmail: user.email,
      userContact: user.phone ?? '',
      responseUrl: portal + posts.response,
      backendUrl: portal + posts.backend,
    }),
  }
  await idempotency.keep(trx, form)
  return form
}

function channelOrThrow(currency: string, requestedChannel: number | undefined): number {
  const channel = gatewayChannel(currency, requestedChannel)
  if (channel === null && requestedChannel !== undefined)
    throw validationError({ field: 'gatewayPaymentId', rule: 'enum' })
  if (channel === null) throw new AppError('payment_method_closed')
  return channel
}

/**
 * Starts a gateway payment of an order, whose parcels wait for it. A second one at the same time is allowed: the first
 * money pays the order, the other goes to the wallet. Throws what `lockForPayment` throws, payment_method_closed
 * (`details.reason`), validation.
 */
export async function payByGateway(
  deps: Deps,
  payer: Asking,
  orderId: string,
  method: 'ipay88' | 'credit_card',
  { expectedTotalMinor, gatewayPaymentId }: BodyOf<typeof payWithIpay88>,
): Promise<GatewayForm> {
  const { caller, t } = payer
  return tx(deps.db, async (trx) => {
    const lockedOrder = await lockForPayment(deps, trx, caller, orderId, expectedTotalMinor)
    const { order } = lockedOrder
    requireMethodOpen(lockedOrder, method)
    const payment = {
      id: newId(),
      method,
      channel: channelOrThrow(order.currency, gatewayPaymentId),
      expiresAt: later(deps.clock.now(), minutes(paymentMinutes)),
    }
    await beginGatewayPayment(deps, trx, lockedOrder, { ...payment, actorId: caller.userId })
    return begin(deps, trx, payer, {
      ...payment,
      purpose: 'order',
      orderId,
      amountMinor: order.total_minor,
      currency: order.currency,
      description: t('gateway.orderDescription', { number: order.number }),
    })
  })
}

/**
 * Starts a top-up. Throws amount_out_of_range (`details.minMinor`, `details.maxMinor`), validation,
 * payment_method_closed, account_closed.
 */
export async function startTopUp(
  deps: Deps,
  payer: Asking,
  { amountMinor, gatewayPaymentId }: BodyOf<typeof topUp>,
): Promise<GatewayForm> {
  const { settings } = deps
  const currency = settings.get('currency')
  const [minMinor, maxMinor] = [settings.get('wallet.topUpMinMinor'), settings.get('wallet.topUpMaxMinor')]
  if (amountMinor < minMinor || amountMinor > maxMinor) {
    const money = (minor: number) => formatMoney(minor, currency, payer.locale)
    throw new AppError('amount_out_of_range', {
      fields: [{ field: 'amountMinor', rule: 'amountRange', vars: { min: money(minMinor), max: money(maxMinor) } }],
      vars: { min: money(minMinor), max: money(maxMinor) },
      details: { minMinor, maxMinor },
    })
  }
  const channel = channelOrThrow(currency, gatewayPaymentId)
  return tx(deps.db, async (trx) => {
    await lockOpenAccount(trx, payer.caller.accountId)
    return begin(deps, trx, payer, {
      id: newId(),
      purpose: 'topup',
      orderId: null,
      method: 'ipay88',
      channel,
      amountMinor,
      // Fixed now, so that a later change of the packages does not reduce it.
      bonusMinor: topUpBonus(amountMinor, settings.get('wallet.bonusPackages')),
      currency,
      description: payer.t('gateway.topupDescription'),
      expiresAt: later(deps.clock.now(), minutes(paymentMinutes)),
    })
  })
}
