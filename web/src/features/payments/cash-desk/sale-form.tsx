import { Button } from '@mantine/core'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { type CashDue, findCashDue, getDrawer, listCashMovements, takeCash } from '@waybill/contract/payments/cash-desk'
import { useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { useSend } from '../../../components/feedback/use-send.ts'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { MoneyField } from '../../../components/form/measure-field.tsx'
import { messageOf } from '../../../components/notify.tsx'
import { ScanField } from '../../../components/scan-field/scan-field.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { isDecided, useCallOnce } from '../../../lib/once.ts'
import { beep } from '../../../lib/sound.ts'
import classes from './cash.module.css'
import { ReceiptButtons } from './receipt-buttons.tsx'

type Sold = ResponseOf<typeof takeCash>
type Found = { code: string; due: CashDue }

const stale = [getDrawer, listCashMovements]

/** A sale at the counter: scan a number, type the cash, read the change. Enter leads from step to step. */
export function SaleForm() {
  const t = useT()
  const format = useFormat()
  const callOnce = useCallOnce()
  const [found, setFound] = useState<Found | null>(null)
  const [sold, setSold] = useState<Sold | null>(null)
  const [problem, setProblem] = useState<{ code: string; text: string } | null>(null)

  function fail(code: string, error: unknown) {
    beep(false)
    setProblem({ code, text: messageOf(error) })
  }
  const find = useSend(async (code: string) => {
    setFound(null)
    setSold(null)
    setProblem(null)
    try {
      setFound({ code, due: await call(findCashDue, { query: { code } }) })
    } catch (error) {
      fail(code, error)
    }
  })
  async function take({ code, due }: Found, givenMinor: number) {
    const { totalMinor, currency, orderNumber } = due
    try {
      setSold(await callOnce(takeCash, { body: { code, totalSeenMinor: totalMinor, givenMinor, currency } }))
      beep(true)
    } catch (error) {
      // Without an answer nobody knows whether the cash is booked. The sale stays on the screen, and the same press
      // finds out without booking it twice.
      if (!isDecided(error)) throw error
      fail(orderNumber ?? code, error)
    }
    setFound(null)
  }

  return (
    <>
      <ScanField
        label={t('cashPage.code')}
        action={t('cashPage.find')}
        onScan={(codes) => void find.send(codes.at(-1) ?? '')}
        active={found === null}
        main={found === null && sold === null}
      />
      {!found && (
        <div className={classes.feedback} data-well={sold ? true : problem ? false : undefined} role="status">
          {sold ? (
            <>
              <strong>{t('cashPage.changeIs', { amount: format.money(sold.changeMinor, sold.currency) })}</strong>
              <span>
                {t('cashPage.soldSaid', {
                  number: sold.orderNumber ?? '',
                  amount: format.money(sold.cashMinor, sold.currency),
                })}
              </span>
            </>
          ) : problem ? (
            <>
              <span className={classes.mono}>{problem.code}</span>
              <span>{problem.text}</span>
            </>
          ) : (
            <span className={classes.quiet}>{t('cashPage.ready')}</span>
          )}
        </div>
      )}
      {sold && <ReceiptButtons key={sold.movementId} saleId={sold.movementId} />}
      {found && <Due due={found.due} take={(cash) => take(found, cash)} onCancel={() => setFound(null)} />}
    </>
  )
}

type DueProps = { due: CashDue; take: (givenMinor: number) => Promise<void>; onCancel: () => void }

function Due({ due, take, onCancel }: DueProps) {
  const t = useT()
  const format = useFormat()
  const { currency, cashMinor, totalMinor } = due
  const money = (minor: number) => format.money(minor, currency)
  const schema = useMemo(() => z.object({ givenMinor: z.number().check(z.int(), z.minimum(cashMinor)) }), [cashMinor])
  const form = useContractForm({
    schema,
    initial: { givenMinor: null as number | null },
    onSubmit: ({ givenMinor }) => take(givenMinor),
    refresh: stale,
    refreshOnError: stale,
  })
  const given = form.values.givenMinor
  const change = given === null || Number.isNaN(given) ? null : given - cashMinor
  return (
    <section className={classes.card} aria-label={t('cashPage.due')}>
      <h2>{due.accountName}</h2>
      <p className={classes.quiet}>
        {due.kind === 'store'
          ? t('cashPage.storeOrder', { number: due.orderNumber ?? '', count: due.parcels.length })
          : t('cashPage.reweighed')}
      </p>
      <dl className={classes.lines}>
        {due.parcels.slice(0, 8).map((parcel) => (
          <div key={parcel.parcelId}>
            <dt>
              <span className={classes.mono}>{format.trackingNumber(parcel.trackingNumber ?? '')}</span>
              {parcel.receiver && <span className={classes.quiet}>{parcel.receiver}</span>}
            </dt>
            <dd>{money(parcel.amountDueMinor)}</dd>
          </div>
        ))}
        {due.parcels.length > 8 && (
          <div>
            <dt>{t('cashPage.more', { count: due.parcels.length - 8 })}</dt>
            <dd />
          </div>
        )}
        {cashMinor !== totalMinor && (
          <>
            <div>
              <dt>{t('cashPage.total')}</dt>
              <dd>{money(totalMinor)}</dd>
            </div>
            <div>
              <dt>{t('cashPage.rounded')}</dt>
              <dd>{money(cashMinor - totalMinor)}</dd>
            </div>
          </>
        )}
        <div className={classes.total}>
          <dt>{t('cashPage.toPay')}</dt>
          <dd className={classes.figure}>{money(cashMinor)}</dd>
        </div>
      </dl>
      <form {...form.props} className={classes.form}>
        <MoneyField field={form.field('givenMinor')} currency={currency} size="lg" autoFocus />
        <div className={classes.buttons}>
          <Button size="sm" onClick={() => form.set('givenMinor', cashMinor)}>
            {t('cashPage.exact')}
          </Button>
          {notesAbove(cashMinor).map((note) => (
            <Button key={note} size="sm" onClick={() => form.set('givenMinor', note)}>
              {money(note)}
            </Button>
          ))}
        </div>
        <div className={classes.change} aria-live="polite">
          <span>{t('cashPage.change')}</span>
          <span>{change === null || change < 0 ? '–' : money(change)}</span>
        </div>
        <div className={classes.buttons}>
          <Button type="submit" variant="filled" size="lg" loading={form.submitting}>
            {t('cashPage.take')}
          </Button>
          <Button size="lg" variant="subtle" onClick={onCancel}>
            {t('actions.cancel')}
          </Button>
        </div>
      </form>
    </section>
  )
}

/** Amounts that people usually pay with: rounded up to the next note of 5, 10, 50 and 100. */
function notesAbove(minor: number): number[] {
  const notes = [500, 1000, 5000, 10_000].map((note) => Math.ceil(minor / note) * note)
  return [...new Set(notes)].filter((note) => note !== minor).slice(0, 4)
}
