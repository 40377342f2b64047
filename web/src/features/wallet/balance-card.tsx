import { getWallet } from '@waybill/contract/wallet/wallet'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { Buttons, Panel, Row, Stack } from '../../components/layout/boxes.tsx'
import { Figure, Note } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import { PinButton } from './shared/pin-button.tsx'

/** The wallet's balance, and the state of its PIN: set, not set, or locked for a while. */
export function BalanceCard() {
  const t = useT()
  const format = useFormat()
  const wallet = useCall(getWallet, {})
  const mayAct = useMay('wallet')
  const isOwner = useMay('account.owner')
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
              {data.lockedUntil ? (
                <Note>{t('walletPage.pinLocked', { time: format.time(data.lockedUntil) })}</Note>
              ) : data.pinSet ? (
                <Note>{t('walletPage.pinSet')}</Note>
              ) : (
                // Without the button to set one, the sentence would ask for the impossible.
                mayAct && <Note>{t('walletPage.pinMissing')}</Note>
              )}
              {mayAct && (
                <Buttons>
                  {data.pinSet && !isOwner && <Note>{t('walletPage.pinOwner')}</Note>}
                  {data.pinSet ? (
                    <>
                      <PinButton task="change">{t('walletPage.changePin')}</PinButton>
                      <PinButton task="forget">{t('walletPage.forgetPin')}</PinButton>
                    </>
                  ) : (
                    <PinButton task="set">{t('walletPage.setPin')}</PinButton>
                  )}
                </Buttons>
              )}
            </>
          )}
        </Stack>
      </Row>
    </Panel>
  )
}
