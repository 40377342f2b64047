import { Button } from '@mantine/core'
import { type CashHolder, getDrawer, handInCash, listCashMovements } from '@waybill/contract/cash'
import { useAction } from '../../components/action.ts'
import { notify } from '../../components/notify.tsx'
import { Time } from '../../components/time.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useOnce } from '../../lib/once.ts'
import { useChanged } from '../../lib/query.ts'
import classes from './cash.module.css'

type Props = { holders: readonly CashHolder[]; currency: string; open: boolean }

/** Recipients' money that riders still have with them; handed in it is counted and goes into the drawer whole. */
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
  const changed = useChanged()
  const { userId, name, count, amountMinor, since } = holder
  const amount = format.money(amountMinor, currency)
  const once = useOnce()
  const take = useAction(async () => {
    try {
      const body = { riderId: userId, amountMinor, currency }
      await once({ body }, (request) => call(handInCash, request))
      notify.success(t('cashPage.handedInSaid', { name, amount }))
    } finally {
      await changed(getDrawer, listCashMovements)
    }
  })
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
        {open && (
          <Button
            size="sm"
            loading={take.running}
            aria-label={t('cashPage.takeInFrom', { name, amount })}
            onClick={() => void take.run()}
          >
            {t('cashPage.takeIn')}
          </Button>
        )}
      </span>
    </li>
  )
}
