import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { type CashDue, findCashDue, takeCash } from '@waybill/contract/payments/cash-desk'
import { useMemo, useState } from 'react'
import { ScanField } from '../../../components/fields/scan-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Buttons, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Figure, Mono, Note, Notice, Quiet } from '../../../components/layout/text.tsx'
import { useLinkedNumber, useLookup } from '../../../components/scans/use-lookup.ts'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { beep } from '../../../lib/browser/sound.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { isDecided, useCallOnce } from '../../../lib/once.ts'
import { CashGiven, cashGivenSchema } from '../shared/cash-given.tsx'
import { findNothingDue } from '../shared/nothing-due.ts'
import { staleCash } from '../shared/stale-cash.ts'
import { ReceiptButtons } from './receipt-buttons.tsx'

type SaleResult = ResponseOf<typeof takeCash>
type ScannedDue = { code: string; due: CashDue }
/** Why there is nothing to take for a number; `plain` if that is no mistake. */
type Problem = { tone: 'plain' | 'danger'; code: string; text: string }

/** Whether a code is neither a tracking number nor the number of an order. */
const isOtherNumber = (error: unknown) => error instanceof ApiError && error.code === 'tracking_number_format'

/** A sale at the counter: scan a number, enter the cash, read the change. Enter moves from step to step. */
export function SaleForm({ drawerNumber }: { drawerNumber: number }) {
  const t = useT()
  const format = useFormat()
  const callOnce = useCallOnce()
  const navigate = useNavigate({ from: '/staff/cash' })
  const {
    result: payable,
    find,
    clear,
  } = useLookup(
    async (code) => ({ code, due: await call(findCashDue, { query: { code } }) }),
    (error, code) => {
      if (findNothingDue(error)) setProblem({ tone: 'plain', code, text: explain(error) })
      else fail(code, error)
    },
  )
  const [lastSale, setLastSale] = useState<SaleResult | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)

  function explain(error: unknown): string {
    const nothingDue = findNothingDue(error)
    if (nothingDue) return t(`cashPage.nothingDue.${nothingDue}`)
    return isOtherNumber(error) ? t('cashPage.otherNumber') : errorMessage(error)
  }
  function fail(code: string, error: unknown) {
    beep(false)
    setProblem({ tone: 'danger', code, text: explain(error) })
  }
  function scan(codes: readonly string[]) {
    clear()
    setLastSale(null)
    setProblem(null)
    void find(codes.at(-1) ?? '')
  }
  useLinkedNumber((code) => scan([code]))
  async function take({ code, due }: ScannedDue, givenMinor: number) {
    const { totalMinor, currency, orderNumber } = due
    try {
      const body = { drawerNumber, code, totalSeenMinor: totalMinor, givenMinor, currency }
      setLastSale(await callOnce(takeCash, { body }))
      beep(true)
      // Opened again, a link to a paid number would be a dead end.
      void navigate({ search: {}, replace: true, resetScroll: false })
    } catch (error) {
      // Without a response it is unknown whether the cash was booked. The sale stays on the screen, and pressing again
      // finds out without booking it twice.
      if (!isDecided(error)) throw error
      fail(orderNumber ?? code, error)
    }
    clear()
  }

  return (
    <>
      <ScanField
        label={t('cashPage.code')}
        action={t('cashPage.find')}
        onScan={scan}
        active={payable === null}
        main={payable === null && lastSale === null}
      />
      {!payable && (
        <Notice as="div" size="lg" tone={lastSale ? 'success' : (problem?.tone ?? 'plain')} role="status">
          {lastSale ? (
            <>
              <strong>
                {t('cashPage.changeIs', { amount: format.money(lastSale.changeMinor, lastSale.currency) })}
              </strong>
              <span>
                {t('cashPage.soldSaid', {
                  number: lastSale.orderNumber ?? '',
                  amount: format.money(lastSale.cashMinor, lastSale.currency),
                })}
              </span>
            </>
          ) : problem ? (
            <>
              <Mono>{problem.code}</Mono>
              <span>{problem.text}</span>
            </>
          ) : (
            <Quiet>{t('cashPage.ready')}</Quiet>
          )}
        </Notice>
      )}
      {lastSale && <ReceiptButtons key={lastSale.movementId} saleId={lastSale.movementId} />}
      {payable && <Due due={payable.due} take={(cash) => take(payable, cash)} onCancel={clear} />}
    </>
  )
}

type DueProps = { due: CashDue; take: (givenMinor: number) => Promise<void>; onCancel: () => void }

function Due({ due, take, onCancel }: DueProps) {
  const t = useT()
  const format = useFormat()
  const { currency, cashMinor, totalMinor } = due
  const money = (minor: number) => format.money(minor, currency)
  const schema = useMemo(() => cashGivenSchema(cashMinor, currency), [cashMinor, currency])
  const form = useContractForm({
    schema,
    initial: { givenMinor: null as number | null },
    onSubmit: ({ givenMinor }) => take(givenMinor),
    refresh: staleCash,
    refreshOnError: staleCash,
  })
  return (
    <Panel gap={12} padding={20} aria-label={t('cashPage.due')} title={due.accountName}>
      <Note>
        {due.kind === 'store'
          ? t('cashPage.storeOrder', { number: due.orderNumber ?? '', count: due.parcels.length })
          : t('cashPage.reweighed')}
      </Note>
      <Facts>
        {due.parcels.slice(0, 8).map((parcel) => (
          <Fact
            key={parcel.parcelId}
            label={
              <>
                <Mono>{format.trackingNumber(parcel.trackingNumber ?? '')}</Mono>
                {parcel.receiver && <Quiet>{parcel.receiver}</Quiet>}
              </>
            }
          >
            {money(parcel.amountDueMinor)}
          </Fact>
        ))}
        {due.parcels.length > 8 && (
          <div>
            <dt>{t('cashPage.more', { count: due.parcels.length - 8 })}</dt>
            <dd />
          </div>
        )}
        {cashMinor !== totalMinor && (
          <>
            <Fact label={t('cashPage.total')}>{money(totalMinor)}</Fact>
            <Fact label={t('cashPage.rounded')}>{money(cashMinor - totalMinor)}</Fact>
          </>
        )}
        <Fact total label={t('cashPage.toPay')}>
          <Figure as="span">{money(cashMinor)}</Figure>
        </Fact>
      </Facts>
      <Stack {...form.props} as="form">
        <CashGiven field={form.field('givenMinor')} cashMinor={cashMinor} currency={currency} autoFocus />
        <Buttons>
          <Button size="lg" onClick={onCancel}>
            {t('actions.cancel')}
          </Button>
          <Button type="submit" variant="filled" size="lg" loading={form.submitting}>
            {t('cashPage.take')}
          </Button>
        </Buttons>
      </Stack>
    </Panel>
  )
}
