import { Button } from '@mantine/core'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { useState } from 'react'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { Buttons, Panel, Row, Stack } from '../../components/layout/boxes.tsx'
import { Figure, Note } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import { PinDialog, type PinTask } from './pin-dialog.tsx'

/** The wallet's balance, and the state of its PIN: set, not set, or locked for a while. */
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
    <Panel aria-label={t('walletPage.balance')}>
      <Row justify="between" align="start" gap={24}>
        <div>
          <Note>{t('walletPage.balance')}</Note>
          <Figure aria-busy={!data}>{data ? format.credits(data.balanceMinor) : '\u00a0'}</Figure>
          <Note>{data ? t('walletPage.worth', { amount: format.money(data.balanceMinor) }) : '\u00a0'}</Note>
        </div>
        <Stack gap={12} style={{ minHeight: 78 }}>
          {data && (
            <>
              <Note>
                {data.lockedUntil
                  ? t('walletPage.pinLocked', { time: format.time(data.lockedUntil) })
                  : data.pinSet
                    ? t('walletPage.pinSet')
                    : t('walletPage.pinMissing')}
              </Note>
              {mayAct && (
                <Buttons>
                  {data.pinSet && !isOwner && <Note>{t('walletPage.pinOwner')}</Note>}
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
                </Buttons>
              )}
            </>
          )}
        </Stack>
      </Row>
      {task && <PinDialog task={task} onClose={() => setTask(null)} />}
    </Panel>
  )
}
