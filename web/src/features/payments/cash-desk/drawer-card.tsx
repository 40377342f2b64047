import { Button } from '@mantine/core'
import type { CashDrawer, enteredMovementKinds } from '@waybill/contract/payments/cash-desk'
import { useState } from 'react'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from './cash.module.css'
import { CloseDialog } from './close-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'

type Entered = (typeof enteredMovementKinds)[number]

/** What should be in the drawer, and what came and went. */
export function DrawerCard({ drawer, dayOver }: { drawer: CashDrawer; dayOver: boolean }) {
  const t = useT()
  const format = useFormat()
  const [asked, setAsked] = useState<Entered | 'close' | null>(null)
  const close = () => setAsked(null)
  return (
    <section className={classes.card} aria-label={t('cashPage.drawer')}>
      <h2>{t('cashPage.drawer')}</h2>
      <p className={classes.quiet}>
        {t('cashPage.openedBy', { name: drawer.openedBy, time: format.dateTime(drawer.openedAt) })}
      </p>
      <DrawerSums drawer={drawer} />
      <div className={classes.buttons}>
        {!dayOver && (
          <>
            <Button size="sm" onClick={() => setAsked('cash_in')}>
              {t('cashPage.putIn')}
            </Button>
            <Button size="sm" onClick={() => setAsked('cash_out')}>
              {t('cashPage.takeOut')}
            </Button>
            <Button size="sm" onClick={() => setAsked('bank')}>
              {t('cashPage.toBank')}
            </Button>
          </>
        )}
        <Button size="sm" variant={dayOver ? 'filled' : 'default'} onClick={() => setAsked('close')}>
          {t('cashPage.close')}
        </Button>
      </div>
      {asked === 'close' && <CloseDialog drawer={drawer} onClose={close} />}
      {asked !== null && asked !== 'close' && <MoveDialog kind={asked} drawer={drawer} onClose={close} />}
    </section>
  )
}

function DrawerSums({ drawer }: { drawer: CashDrawer }) {
  const t = useT()
  const format = useFormat()
  const lines: [string, number][] = [
    [t('cashDoc.float'), drawer.floatMinor],
    [t('cashMovement.sale'), drawer.salesMinor],
    [t('cashMovement.hand_in'), drawer.handedInMinor],
    [t('cashMovement.cash_in'), drawer.cashInMinor],
    [t('cashMovement.cash_out'), drawer.cashOutMinor],
    [t('cashMovement.bank'), drawer.bankMinor],
  ]
  return (
    <dl className={classes.lines}>
      {lines.map(([name, minor], n) =>
        minor === 0 && n > 1 ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{format.money(minor, drawer.currency)}</dd>
          </div>
        ),
      )}
      <div className={classes.total}>
        <dt>{t('cashPage.expected')}</dt>
        <dd>{format.money(drawer.expectedMinor, drawer.currency)}</dd>
      </div>
    </dl>
  )
}
