import { Button } from '@mantine/core'
import type { CashHolder } from '@waybill/contract/payments/cash-desk'
import { useState } from 'react'
import { Time } from '../../../components/time.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useSession } from '../../../lib/session.ts'
import classes from '../cash-desk/cash.module.css'
import { HandInDialog } from './hand-in-dialog.tsx'

type Props = { holders: readonly CashHolder[]; currency: string; open: boolean }

/**
 * Recipients' money that riders still have with them; handed in it is counted by somebody else and goes into the
 * drawer.
 */
export function HoldersCard({ holders, currency, open }: Props) {
  const t = useT()
  return (
    <section className={classes.card} aria-label={t('cashPage.withRiders')}>
      <h2>{t('cashPage.withRiders')}</h2>
      {holders.length === 0 ? (
        <p className={classes.quiet}>{t('cashPage.withNobody')}</p>
      ) : (
        <ul className={classes.holders}>
          {holders.map((holder) => (
            <Holder key={holder.userId} holder={holder} currency={currency} open={open} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Holder({ holder, currency, open }: { holder: CashHolder; currency: string; open: boolean }) {
  const t = useT()
  const format = useFormat()
  const own = useSession((state) => state.auth.user?.id) === holder.userId
  const [counting, setCounting] = useState(false)
  const { name, count, amountMinor, since } = holder
  const amount = format.money(amountMinor, currency)
  return (
    <li>
      <span>
        {name}
        <span className={classes.quiet}>
          {t('cashPage.parcels', { count })} · <Time at={since} />
        </span>
      </span>
      <span className={classes.buttons}>
        <strong>{amount}</strong>
        {open && own && <span className={classes.quiet}>{t('cashPage.ownMoney')}</span>}
        {open && !own && (
          <Button size="sm" aria-label={t('cashPage.takeInFrom', { name, amount })} onClick={() => setCounting(true)}>
            {t('cashPage.takeIn')}
          </Button>
        )}
      </span>
      {counting && <HandInDialog holder={holder} currency={currency} onClose={() => setCounting(false)} />}
    </li>
  )
}
