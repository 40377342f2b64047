import { Button } from '@mantine/core'
import type { AccountDetail } from '@waybill/contract/accounts/directory'
import { type AccountMoney, getAccountMoney } from '@waybill/contract/payments/account-overview'
import { useState } from 'react'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { Buttons, LineList, Panel } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { ErrorText, Mono, Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'
import { listWithdrawable, WithdrawalDialog } from './withdrawal-dialog.tsx'

/** Balance and debts of an account, and what can be withdrawn from it. */
export function MoneyPanel({ account }: { account: AccountDetail }) {
  const t = useT()
  const mayWithdraw = useMay('staff.finance')
  const money = useCall(getAccountMoney, { params: { id: account.id } })
  const [open, setOpen] = useState(false)
  return (
    <Panel title={t('accountPage.money')}>
      {money.data ? (
        <MoneyFacts money={money.data} />
      ) : money.error ? (
        <ErrorPanel error={money.error} retry={() => void money.refetch()} />
      ) : (
        <Loading />
      )}
      {mayWithdraw && money.data && listWithdrawable(money.data).length > 0 && (
        <Buttons>
          <Button size="sm" onClick={() => setOpen(true)}>
            {t('withdrawal.open')}
          </Button>
        </Buttons>
      )}
      {open && money.data && <WithdrawalDialog account={account} money={money.data} onClose={() => setOpen(false)} />}
    </Panel>
  )
}

function MoneyFacts({ money }: { money: AccountMoney }) {
  const t = useT()
  const format = useFormat()
  const { currency, billing, statements } = money
  const amount = (minor: number) => format.money(minor, currency)
  return (
    <>
      <Facts layout="tiles" min={110}>
        <Fact label={t('accountPage.wallet')}>{amount(money.walletMinor)}</Fact>
        <Fact label={t('accountPage.outstanding')}>{amount(money.outstandingMinor)}</Fact>
        {billing && (
          <>
            <Fact label={t('companies.owes')}>{amount(billing.usedMinor)}</Fact>
            <Fact label={t('accountPage.overdue')}>
              {billing.overdueMinor > 0 ? <ErrorText as="span">{amount(billing.overdueMinor)}</ErrorText> : amount(0)}
            </Fact>
          </>
        )}
      </Facts>
      {statements.length > 0 && (
        <LineList aria-label={t('accountPage.statements')}>
          {statements.map((statement) => (
            <li key={statement.id}>
              <span>
                <Mono>{statement.number}</Mono>
                <Quiet>{t(`accountPage.statement.${statement.state}`, { day: format.day(statement.dueOn) })}</Quiet>
              </span>
              <span>{format.money(statement.closingMinor, statement.currency)}</span>
            </li>
          ))}
        </LineList>
      )}
    </>
  )
}
