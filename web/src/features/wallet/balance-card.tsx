import { Button } from '@mantine/core'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { useState } from 'react'
import { ErrorPanel } from '../../components/message-panel.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import { PinDialog, type PinTask } from './pin-dialog.tsx'
import classes from './wallet.module.css'

/** What is in the wallet, and whether it can be paid with: the PIN is set, not set, or locked for a while. */
export function BalanceCard() {
  const t = useT()
  const format = useFormat()
  const wallet = useCall(getWallet, {})
  const mayAct = useMay('wallet')
  const isOwner = useMay('account.owner')
  const [task, setTask] = useState<PinTask | null>(null)
  if (wallet.error) return <ErrorPanel error={wallet.error} retry={() => void wallet.refetch()} />
  const { data } = wallet
  return (
    <section className={classes.card} aria-label={t('walletPage.balance')}>
      <div>
        <p className={classes.quiet}>{t('walletPage.balance')}</p>
        <p className={classes.balance} aria-busy={!data}>
          {data ? format.credits(data.balanceMinor) : '\u00a0'}
        </p>
        <p className={classes.quiet}>
          {data ? t('walletPage.worth', { amount: format.money(data.balanceMinor) }) : '\u00a0'}
        </p>
      </div>
      <div className={classes.pin}>
        {data && (
          <>
            <p className={classes.quiet}>
              {data.lockedUntil
                ? t('walletPage.pinLocked', { time: format.time(data.lockedUntil) })
                : data.pinSet
                  ? t('walletPage.pinSet')
                  : t('walletPage.pinMissing')}
            </p>
            {mayAct && (
              <div className={classes.buttons}>
                {data.pinSet && !isOwner && <p className={classes.quiet}>{t('walletPage.pinOwner')}</p>}
                {data.pinSet ? (
                  isOwner && (
                    <>
                      <Button onClick={() => setTask('change')}>{t('walletPage.changePin')}</Button>
                      <Button onClick={() => setTask('forget')}>{t('walletPage.forgetPin')}</Button>
                    </>
                  )
                ) : (
                  <Button onClick={() => setTask('set')}>{t('walletPage.setPin')}</Button>
                )}
              </div>
            )}
          </>
        )}
      </div>
      {task && <PinDialog task={task} onClose={() => setTask(null)} />}
    </section>
  )
}
