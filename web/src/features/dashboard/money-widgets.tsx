import { type WidgetData, widgetKindLabels } from '@waybill/contract/dashboard/widgets'
import { TextLink } from '../../components/buttons/link.tsx'
import { Panel, Row } from '../../components/layout/boxes.tsx'
import { Figure, Note, Notice, Quiet } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useMay } from '../../lib/session.ts'
import classes from './dashboard.module.css'

export function WalletWidget({ data: { balanceMinor, lowBalanceMinor } }: { data: WidgetData['wallet'] }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const mayTopUp = useMay('wallet')
  return (
    <Panel title={label(widgetKindLabels, 'wallet')} gap={12}>
      <Figure>{format.credits(balanceMinor)}</Figure>
      <Note>{t('walletPage.worth', { amount: format.money(balanceMinor) })}</Note>
      {lowBalanceMinor !== null && balanceMinor < lowBalanceMinor && (
        <Notice tone="warning">{t('dashboardPage.lowBalance', { amount: format.credits(lowBalanceMinor) })}</Notice>
      )}
      <Row>
        <TextLink to="/wallet">{t('dashboardPage.toWallet')}</TextLink>
        {mayTopUp && <TextLink to="/wallet/top-up">{t('dashboardPage.topUp')}</TextLink>}
      </Row>
    </Panel>
  )
}

export function OutstandingWidget({ data: { parcels, dueMinor, currency } }: { data: WidgetData['outstanding'] }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  return (
    <Panel title={label(widgetKindLabels, 'outstanding')} gap={12}>
      <Figure>{format.money(dueMinor, currency)}</Figure>
      {parcels === 0 ? (
        <Note>{t('dashboardPage.nothingDue')}</Note>
      ) : (
        <TextLink to="/outstanding">
          {t('dashboardPage.dueFor', { count: parcels, number: format.number(parcels) })}
        </TextLink>
      )}
    </Panel>
  )
}

export function SpendByUserWidget({ data: { users, others, currency } }: { data: WidgetData['spend_by_user'] }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const money = (amountMinor: number) => format.money(amountMinor, currency)
  const title = label(widgetKindLabels, 'spend_by_user')
  return (
    <Panel title={title} gap={8}>
      {users.length === 0 ? (
        <Note>{t('dashboardPage.noSpend')}</Note>
      ) : (
        <table className={classes.table} aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{t('dashboardPage.user')}</th>
              <th scope="col">{t('dashboardPage.month')}</th>
              <th scope="col">{t('dashboardPage.monthBefore')}</th>
            </tr>
          </thead>
          <tbody>
            {users.map((user) => (
              <tr key={user.userId}>
                <th scope="row">{user.name}</th>
                <td>{money(user.thisMonthMinor)}</td>
                <td>{money(user.lastMonthMinor)}</td>
              </tr>
            ))}
            {others.users > 0 && (
              <tr>
                <th scope="row">
                  <Quiet inline>{t('dashboardPage.otherUsers', { count: others.users })}</Quiet>
                </th>
                <td>{money(others.thisMonthMinor)}</td>
                <td>{money(others.lastMonthMinor)}</td>
              </tr>
            )}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
