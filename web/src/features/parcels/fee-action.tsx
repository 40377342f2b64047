import { Button } from '@mantine/core'
import { pin } from '@waybill/contract/ground/fields'
import { listOrders } from '@waybill/contract/orders/orders'
import { getParcelActions, recallParcel, returnParcel } from '@waybill/contract/parcels/allowed-actions'
import { listParcels } from '@waybill/contract/parcels/list'
import { getParcel, type Parcel } from '@waybill/contract/parcels/parcels'
import { getWallet } from '@waybill/contract/wallet/wallet'
import * as z from 'zod/mini'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { useLongDay } from '../../components/display/line-breaks.ts'
import { formatWindow } from '../../components/display/time-window.ts'
import { Dialog, DialogFoot } from '../../components/feedback/dialog.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { notify } from '../../components/feedback/notify.tsx'
import { notifyPaymentProblem } from '../../components/feedback/payment-problem.ts'
import { CodeField } from '../../components/fields/code-field.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { Stack } from '../../components/layout/boxes.tsx'
import { Note, Notice } from '../../components/layout/text.tsx'
import { ApiError } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCallOnce } from '../../lib/once.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import { serverNow } from '../../lib/time/server-clock.ts'
import { PriceLines } from '../pricing/shared/price-lines.tsx'
import { PinButton } from '../wallet/shared/pin-button.tsx'

type Props = { parcel: Parcel; action: 'recall' | 'return'; onClose: () => void }

/** Confirms a recall or a return: what happens to the parcel, the fee, and the PIN of the wallet that pays it. */
export function FeeAction({ parcel, action, onClose }: Props) {
  const t = useT()
  const format = useFormat()
  const actions = useCall(getParcelActions, { params: { id: parcel.id } })
  const offer = actions.data?.[action]
  const until = action === 'return' ? actions.data?.return.until : null
  return (
    <Dialog title={t(`feeAction.${action}.title`)} onClose={onClose}>
      <Stack>
        <p>
          {t(`feeAction.${action}.text`)} {until && t('feeAction.return.until', { when: format.dateTime(until) })}
        </p>
        {actions.error ? (
          <ErrorPanel error={actions.error} retry={() => void actions.refetch()} />
        ) : offer ? (
          <Paid
            parcel={parcel}
            action={action}
            lines={offer.fee.lines}
            totalMinor={offer.fee.totalMinor}
            version={actions.data?.version ?? parcel.version}
            onClose={onClose}
          />
        ) : (
          <Loading />
        )}
      </Stack>
    </Dialog>
  )
}

const freeForm = z.object({ pin: z.string(), reason: z.optional(z.string().check(z.maxLength(200))) })
const paidForm = z.extend(freeForm, { pin })

type Fee = { lines: Parameters<typeof PriceLines>[0]['lines']; totalMinor: number; version: number }

function Paid({ parcel, action, lines, totalMinor, version, onClose }: Props & Fee) {
  const t = useT()
  const longDay = useLongDay()
  const format = useFormat()
  const mayWallet = useMay('wallet.view')
  const wallet = useCall(getWallet, {}, { enabled: mayWallet && totalMinor > 0 })
  const callOnce = useCallOnce()
  const form = useContractForm({
    schema: totalMinor > 0 ? paidForm : freeForm,
    initial: { pin: '', reason: '' },
    onSubmit: async ({ pin: digits, reason }) => {
      const body = {
        version,
        expectedFeeMinor: totalMinor,
        reason: reason?.trim() || null,
        ...(totalMinor > 0 ? { pin: digits } : {}),
      }
      const request = { params: { id: parcel.id }, body }
      if (action === 'recall') return { ...(await callOnce(recallParcel, request)), pickup: null }
      return callOnce(returnParcel, request)
    },
    refresh: [getParcel, listParcels, getParcelActions, getWallet, listOrders],
    success: ({ pickup }) =>
      pickup
        ? t('feeAction.return.booked', {
            number: pickup.number,
            date: longDay(pickup.date),
            window: formatWindow(pickup.window),
          })
        : t('feeAction.recall.done'),
    refreshOnError: [getParcel, getParcelActions, getWallet],
    onSuccess: onClose,
    onError: (error) => {
      if (notifyPaymentProblem(error, 'charge')) return true
      if (!(error instanceof ApiError)) return false
      form.set('pin', '')
      if (error.code !== 'pin_wrong') return false
      const left = t('checkout.triesLeft', { count: Number(error.details.attemptsLeft ?? 0) })
      notify.error(t('phrase.sentences', { first: error.message, second: left }))
      return true
    },
  })
  const fee = t('feeAction.fee', { amount: format.credits(totalMinor) })
  const balance = (minor: number) => t('feeAction.balance', { amount: format.credits(minor) })
  const short = wallet.data ? totalMinor - wallet.data.balanceMinor : 0
  const locked = wallet.data?.lockedUntil && Date.parse(wallet.data.lockedUntil) > serverNow()
  const missing =
    totalMinor === 0 || !wallet.data
      ? null
      : short > 0
        ? {
            text: t('feeAction.tooLow', { amount: format.credits(short) }),
            action: (
              <ButtonLink
                to="/wallet/top-up"
                search={{ amount: short, next: `/parcels/${parcel.id}` }}
                variant="filled"
              >
                {t('feeAction.topUp')}
              </ButtonLink>
            ),
          }
        : !wallet.data.pinSet
          ? {
              text: t('feeAction.noPin'),
              action: (
                <PinButton task="set" variant="filled">
                  {t('feeAction.setPin')}
                </PinButton>
              ),
            }
          : locked
            ? { text: t('feeAction.locked', { time: format.time(wallet.data.lockedUntil ?? '') }), action: null }
            : null
  return (
    <Stack {...form.props} as="form">
      {totalMinor > 0 ? (
        <Notice as="section">
          <PriceLines lines={lines} totalMinor={totalMinor} currency={parcel.currency} />
          <Note>
            {wallet.data ? t('phrase.sentences', { first: fee, second: balance(wallet.data.balanceMinor) }) : fee}
          </Note>
        </Notice>
      ) : (
        <p>{t('feeAction.free')}</p>
      )}
      {missing ? (
        <Notice tone="waiting" role="status">
          {missing.text}
        </Notice>
      ) : (
        <>
          {totalMinor > 0 && <CodeField field={form.field('pin', t('feeAction.pin'))} mask />}
          <TextField field={form.field('reason', t('feeAction.reason'))} maxLength={200} />
        </>
      )}
      <DialogFoot>
        <Button onClick={onClose}>{t('actions.close')}</Button>
        {missing ? (
          missing.action
        ) : (
          <Button type="submit" variant="filled" loading={form.submitting}>
            {totalMinor > 0
              ? t(`feeAction.${action}.act`, { amount: format.credits(totalMinor) })
              : t(`feeAction.${action}.free`)}
          </Button>
        )}
      </DialogFoot>
    </Stack>
  )
}
