import { Button, Checkbox } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { getDashboard } from '@waybill/contract/dashboard/dashboard'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { pin } from '@waybill/contract/ground/fields'
import { getOrder, listOrders } from '@waybill/contract/orders/orders'
import { listParcels } from '@waybill/contract/parcels/list'
import {
  exportOutstanding,
  listOutstanding,
  type OutstandingItem,
  payOutstanding,
  printPaymentSlip,
} from '@waybill/contract/parcels/outstanding'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { getWeighing } from '@waybill/contract/parcels/weighing'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { useState } from 'react'
import * as z from 'zod/mini'
import { useWhyClosed } from '../../../components/access/why-closed.ts'
import { ButtonLink, TextLink } from '../../../components/buttons/link.tsx'
import { keepOnOneLine } from '../../../components/display/line-breaks.ts'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { notifyPaymentProblem } from '../../../components/feedback/payment-problem.ts'
import { useSend } from '../../../components/feedback/use-send.ts'
import { CodeField } from '../../../components/fields/code-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Buttons, CardList, Stack } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { openDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useCall, useRefresh } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'
import { PinButton } from '../../wallet/shared/pin-button.tsx'
import { BillDifferences } from './bill-differences.tsx'
import { type Due, listFirstExcluded } from './first-selection.ts'
import classes from './outstanding.module.css'

const most = 200

function together(items: readonly OutstandingItem[]): Due[] {
  const dues = new Map<string, Due>()
  for (const item of items) {
    const key = item.kind === 'store' ? (item.orderId ?? item.parcelId) : item.parcelId
    const due = dues.get(key) ?? { key, items: [], amountMinor: 0 }
    dues.set(key, {
      key,
      items: [...due.items, item],
      amountMinor: due.amountMinor + item.amountDueMinor,
    })
  }
  return [...dues.values()]
}

/**
 * Unpaid items: orders to be paid at a counter and differences after a re-weighing. One or many are paid with credits
 * at once; a company may have differences billed.
 */
export function OutstandingPage() {
  const t = useT()
  const list = useCall(listOutstanding, { query: { limit: most } }, { staleTime: 0 })
  const header = (
    <PageHeader
      title={t('outstandingPage.title')}
      description={t('outstandingPage.lead')}
      actions={<DownloadExcel endpoint={exportOutstanding} narrowing={{}} />}
    />
  )
  if (!list.data) {
    return (
      <>
        {header}
        {list.error ? <ErrorPanel error={list.error} retry={() => void list.refetch()} /> : <Loading />}
      </>
    )
  }
  if (list.data.items.length === 0) {
    return (
      <>
        {header}
        <MessagePanel
          kind="empty"
          title={t('outstandingPage.empty')}
          text={t('outstandingPage.emptyHint')}
          action={<ButtonLink to="/parcels">{t('nav.parcels')}</ButtonLink>}
        />
      </>
    )
  }
  const { items, currency, billing } = list.data
  return (
    <>
      {header}
      <Dues
        key={items.map(({ parcelId, weighingState }) => `${parcelId} ${weighingState}`).join()}
        dues={together(items)}
        currency={currency}
        billing={billing}
      />
    </>
  )
}

type DuesProps = { dues: readonly Due[]; currency: string; billing: ResponseOf<typeof listOutstanding>['billing'] }

function Dues({ dues, currency, billing }: DuesProps) {
  const t = useT()
  const format = useFormat()
  const mayPay = useMay('pay.owed')
  const whyClosed = useWhyClosed('paymentClosed.no_permission')
  const { parcel } = useSearch({ from: '/portal/outstanding' })
  const [excludedKeys, setExcludedKeys] = useState(() => listFirstExcluded(dues, parcel))
  const selection = dues.filter(({ key }) => !excludedKeys.has(key))
  const selectedItems = selection.flatMap(({ items }) => items)
  const totalMinor = selection.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  const allMinor = dues.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  return (
    <>
      <CardList>
        {dues.map((due) => (
          <Row
            key={due.key}
            due={due}
            currency={currency}
            checked={!excludedKeys.has(due.key)}
            onChange={
              mayPay
                ? (checked) =>
                    setExcludedKeys((present) => {
                      const next = new Set(present)
                      if (checked) next.delete(due.key)
                      else next.add(due.key)
                      return next
                    })
                : undefined
            }
          />
        ))}
      </CardList>
      <div className={classes.bar}>
        <p className={classes.sum} aria-live="polite">
          <Quiet>{mayPay ? t('outstandingPage.chosen', { count: selection.length }) : t('outstandingPage.all')}</Quiet>
          {format.money(mayPay ? totalMinor : allMinor, currency)}
        </p>
        {mayPay ? (
          selection.length > 0 && (
            <Stack>
              {totalMinor === 0 ? (
                <ConfirmFree parcelIds={selectedItems.map(({ parcelId }) => parcelId)} />
              ) : (
                <Pay
                  key={totalMinor}
                  parcelIds={selectedItems.map(({ parcelId }) => parcelId)}
                  totalMinor={totalMinor}
                />
              )}
              {billing && (
                <BillDifferences items={selectedItems} totalMinor={totalMinor} currency={currency} billing={billing} />
              )}
            </Stack>
          )
        ) : (
          <Note>{t(whyClosed)}</Note>
        )}
      </div>
    </>
  )
}

type RowProps = {
  due: Due
  currency: string
  checked: boolean
  /** Selects it for the payment; undefined: the user may not pay. */
  onChange: ((checked: boolean) => void) | undefined
}

function Row({ due, currency, checked, onChange }: RowProps) {
  const t = useT()
  const format = useFormat()
  const [item] = due.items
  const slip = useSend(async () => {
    if (item?.orderId) await openDocument(printPaymentSlip, { params: { id: item.orderId } })
  })
  if (!item) return null
  const store = item.kind === 'store'
  const name = store
    ? t('outstandingPage.order', { number: item.orderNumber ?? '', count: due.items.length })
    : format.trackingNumber(item.trackingNumber ?? '')
  const to = [item.receiverName, item.receiverCity].filter(Boolean).join(', ')
  return (
    <li className={classes.item} data-plain={!onChange || undefined}>
      {onChange && (
        <Checkbox checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} aria-label={name} />
      )}
      <div>
        <strong>{name}</strong>
        <Quiet>
          {store
            ? t('outstandingPage.store')
            : t('outstandingPage.reweighed', {
                declared: format.weight(item.declaredGrams ?? 0),
                actual: format.weight(item.actualGrams ?? 0),
                to,
              })}
        </Quiet>
        <Quiet>
          {item.contestUntil
            ? t('outstandingPage.contestUntil', { at: keepOnOneLine(format.dateTime(item.contestUntil)) })
            : item.weighingState === 'contested'
              ? t('weighing.state.contested')
              : t('outstandingPage.since', { at: keepOnOneLine(format.dateTime(item.since)) })}
        </Quiet>
        <Buttons style={{ marginBlockStart: 8 }}>
          {store ? (
            <>
              {item.orderId && (
                <ButtonLink size="compact-sm" to="/orders/$id" params={{ id: item.orderId }}>
                  {t('outstandingPage.openOrder')}
                </ButtonLink>
              )}
              <Button size="compact-sm" loading={slip.pending} onClick={() => void slip.send()}>
                {t('outstandingPage.slip')}
              </Button>
            </>
          ) : (
            <TextLink to="/parcels/$id" params={{ id: item.parcelId }}>
              {t('outstandingPage.look')}
            </TextLink>
          )}
        </Buttons>
      </div>
      <strong className={classes.amount}>{format.money(due.amountMinor, currency)}</strong>
    </li>
  )
}

const changedByPayment = [
  listOutstanding,
  getWallet,
  getDashboard,
  listParcels,
  getParcel,
  getWeighing,
  listOrders,
  getOrder,
]

/** An order of which only free parcels are left: no PIN. */
function ConfirmFree({ parcelIds }: { parcelIds: string[] }) {
  const t = useT()
  const callOnce = useCallOnce()
  const confirm = useSend(() => callOnce(payOutstanding, { body: { parcelIds, totalSeenMinor: 0 } }), {
    refresh: changedByPayment,
    refreshOnError: [listOutstanding],
  })
  return (
    <div className={classes.pay}>
      <span>{t('paymentClosed.nothing_to_pay')}</span>
      <Button variant="filled" size="md" loading={confirm.pending} onClick={() => void confirm.send()}>
        {t('checkout.confirm')}
      </Button>
    </div>
  )
}

const pinForm = z.object({ pin })

function Pay({ parcelIds, totalMinor }: { parcelIds: string[]; totalMinor: number }) {
  const t = useT()
  const format = useFormat()
  const refresh = useRefresh()
  const wallet = useCall(getWallet, {}, { enabled: useMay('wallet.view') })
  const mayPrepareWallet = useMay('wallet')
  const callOnce = useCallOnce()
  const form = useContractForm({
    schema: pinForm,
    initial: { pin: '' },
    onSubmit: ({ pin: digits }) =>
      callOnce(payOutstanding, { body: { parcelIds, totalSeenMinor: totalMinor, pin: digits } }),
    refresh: changedByPayment,
    success: t('outstandingPage.paid', { amount: format.credits(totalMinor) }),
    onError: (error) => {
      if (notifyPaymentProblem(error, 'charge')) return true
      form.set('pin', '')
      void refresh(listOutstanding, getWallet)
      return false
    },
  })
  const short = wallet.data ? totalMinor - wallet.data.balanceMinor : 0
  // A suspended account cannot top up or set a PIN.
  if (wallet.data && !mayPrepareWallet && (short > 0 || !wallet.data.pinSet))
    return <Note>{t('outstandingPage.atCounter')}</Note>
  if (short > 0) {
    return (
      <div className={classes.pay}>
        <span>{t('checkout.tooLow', { amount: format.credits(short) })}</span>
        <ButtonLink
          to="/wallet/top-up"
          search={{ amount: short, next: location.pathname + location.search }}
          variant="filled"
        >
          {t('checkout.topUp')}
        </ButtonLink>
      </div>
    )
  }
  if (wallet.data && !wallet.data.pinSet) {
    return (
      <div className={classes.pay}>
        <span>{t('checkout.noPin')}</span>
        <PinButton task="set" variant="filled">
          {t('checkout.setPin')}
        </PinButton>
      </div>
    )
  }
  return (
    <form {...form.props} className={classes.pay}>
      <CodeField field={form.field('pin', t('checkout.pin'))} mask />
      <Button type="submit" variant="filled" size="md" loading={form.submitting}>
        {t('checkout.pay', { amount: format.credits(totalMinor) })}
      </Button>
    </form>
  )
}
