import { Button } from '@mantine/core'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { type CashDue, findCashDue, getDrawer, listCashMovements, takeCash } from '@waybill/contract/payments/cash-desk'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { MoneyField } from '../../../components/form/measure-field.tsx'
import { errorMessage } from '../../../components/notify.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { isDecided, useCallOnce } from '../../../lib/once.ts'
import { useChanged } from '../../../lib/query.ts'
import { beep } from '../../../lib/sound.ts'
import classes from './cash.module.css'
import { ReceiptButtons } from './receipt-buttons.tsx'

type Sold = ResponseOf<typeof takeCash>
type Found = { code: string; due: CashDue }

/**
 * One field that takes numbers; what is due shows, the cash is typed, the change is told. Enter goes on at every step.
 */
export function SaleForm() {
  const t = useT()
  const format = useFormat()
  const changed = useChanged()
  const callOnce = useCallOnce()
  const field = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [found, setFound] = useState<Found | null>(null)
  const [sold, setSold] = useState<Sold | null>(null)
  const [problem, setProblem] = useState<{ code: string; text: string } | null>(null)
  const free = found === null && !busy
  useEffect(() => {
    if (free) field.current?.focus()
  }, [free])

  function fail(about: string, error: unknown) {
    beep(false)
    setProblem({ code: about, text: errorMessage(error) })
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    const wanted = code.trim()
    if (wanted === '' || busy) return
    setBusy(true)
    setFound(null)
    setSold(null)
    setProblem(null)
    try {
      const due = await call(findCashDue, { query: { code: wanted } })
      setFound({ code: wanted, due })
      setCode('')
    } catch (error) {
      fail(wanted, error)
      setCode('')
    } finally {
      setBusy(false)
    }
  }

  async function take(givenMinor: number) {
    if (!found) return
    const { code: taken, due } = found
    const body = { code: taken, totalSeenMinor: due.totalMinor, givenMinor, currency: due.currency }
    try {
      setSold(await callOnce(takeCash, { body }))
      beep(true)
    } catch (error) {
      // Whether the money is booked is open: it stays on the screen, and the same press again finds out without taking
      // it twice.
      if (!isDecided(error)) throw error
      fail(due.orderNumber ?? taken, error)
    }
    setFound(null)
    await changed(getDrawer, listCashMovements)
  }

  return (
    <>
      <form onSubmit={(event) => void submit(event)}>
        <label className={classes.label} htmlFor="cash-code">
          {t('cashPage.code')}
        </label>
        <div className={classes.row}>
          <input
            ref={field}
            id="cash-code"
            className={classes.number}
            value={code}
            onChange={(event) => setCode(event.target.value)}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            enterKeyHint="search"
          />
          <Button type="submit" variant={found || sold ? 'default' : 'filled'} size="lg" loading={busy}>
            {t('cashPage.find')}
          </Button>
        </div>
      </form>
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
      {found && <Due due={found.due} onTake={take} onCancel={() => setFound(null)} />}
    </>
  )
}

type DueProps = { due: CashDue; onTake: (givenMinor: number) => Promise<void>; onCancel: () => void }

function Due({ due, onTake, onCancel }: DueProps) {
  const t = useT()
  const format = useFormat()
  const { currency, cashMinor, totalMinor } = due
  const money = (minor: number) => format.money(minor, currency)
  const schema = useMemo(() => z.object({ givenMinor: z.number().check(z.int(), z.minimum(cashMinor)) }), [cashMinor])
  const form = useContractForm({
    schema,
    initial: { givenMinor: null as number | null },
    onSubmit: ({ givenMinor }) => onTake(givenMinor),
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

/** What people usually put down for an amount: the next five, ten, fifty, hundred. */
function notesAbove(minor: number): number[] {
  const notes = [500, 1000, 5000, 10_000].map((note) => Math.ceil(minor / note) * note)
  return [...new Set(notes)].filter((note) => note !== minor).slice(0, 4)
}
