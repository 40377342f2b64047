import { Button } from '@mantine/core'
import { exportTrialBalances, listTrialBalances, proveBooks, type TrialBalance } from '@waybill/contract/wallet/ledger'
import { useState } from 'react'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { Buttons, Row } from '../../../components/layout/boxes.tsx'
import { Mono } from '../../../components/layout/text.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import classes from './finance.module.css'

/** The trial balance: run now on request, and stored every night. */
export function TrialBalanceTab() {
  const t = useT()
  const format = useFormat()
  const [hasRequested, setHasRequested] = useState(false)
  const history = useCall(listTrialBalances, {})
  const live = useCall(proveBooks, {}, { enabled: hasRequested, staleTime: 0 })
  const nights = history.data?.items ?? []
  return (
    <>
      <Row justify="between" style={{ marginBlockEnd: 16 }}>
        <p>
          {live.data
            ? t('trial.proven', {
                time: format.dateTime(live.data.checkedAt),
                entries: format.number(live.data.entries),
                postings: format.number(live.data.postings),
              })
            : t('trial.lead')}
        </p>
        <Buttons>
          <DownloadExcel endpoint={exportTrialBalances} narrowing={{}} />
          <Button
            loading={live.isFetching}
            onClick={() => {
              if (hasRequested) void live.refetch()
              else setHasRequested(true)
            }}
          >
            {t('trial.prove')}
          </Button>
        </Buttons>
      </Row>
      {live.error && <ErrorPanel error={live.error} retry={() => void live.refetch()} />}
      {live.data && <Balance balance={live.data} title={t('trial.now')} open />}
      {history.error ? (
        <ErrorPanel error={history.error} retry={() => void history.refetch()} />
      ) : history.isPending ? (
        <Loading />
      ) : nights.length === 0 ? (
        <MessagePanel kind="empty" title={t('trial.empty')} text={t('trial.emptyHint')} />
      ) : (
        nights.map((balance, n) => (
          <Balance
            key={balance.day}
            balance={balance}
            title={format.day(balance.day ?? '')}
            open={n === 0 && !live.data}
          />
        ))
      )}
    </>
  )
}

function Balance({ balance, title, open }: { balance: TrialBalance; title: string; open: boolean }) {
  const t = useT()
  const format = useFormat()
  const { lines, problems } = balance
  const currencies = [...new Set(lines.map(({ currency }) => currency))]
  const sound = problems.length === 0
  return (
    <details className={classes.balance} open={open || !sound}>
      <summary>
        <strong>{title}</strong>
        <StatusPill
          look={sound ? { tone: 'success', icon: 'check' } : { tone: 'danger', icon: 'cross' }}
          label={sound ? t('trial.sound') : t('trial.problems', { count: problems.length })}
        />
      </summary>
      {problems.length > 0 && (
        <ul className={classes.problems}>
          {problems.map((problem) => (
            <li key={[problem.kind, problem.entryId, problem.ledgerAccountId].join()}>
              <strong>{t(`trial.problem.${problem.kind}`)}</strong>{' '}
              {t('trial.foundExpected', { found: problem.found, expected: problem.expected })}
              {problem.entryId && <Mono> {problem.entryId}</Mono>}
            </li>
          ))}
        </ul>
      )}
      {currencies.map((currency) => {
        const own = lines.filter((line) => line.currency === currency)
        const sum = (of: 'debitMinor' | 'creditMinor') => own.reduce((total, line) => total + line[of], 0)
        const balanceText = (minor: number) => {
          const amount = format.money(Math.abs(minor), currency)
          return minor === 0 ? amount : t(minor > 0 ? 'trial.onDebit' : 'trial.onCredit', { amount })
        }
        return (
          <table key={currency} className={classes.books}>
            <thead>
              <tr>
                <th scope="col">{t('trial.book')}</th>
                <th scope="col">{t('trial.debit')}</th>
                <th scope="col">{t('trial.credit')}</th>
                <th scope="col">{t('trial.balance')}</th>
              </tr>
            </thead>
            <tbody>
              {own.map((line) => (
                <tr key={line.kind}>
                  <th scope="row">{t(`book.${line.kind}`)}</th>
                  <td>{format.money(line.debitMinor, currency)}</td>
                  <td>{format.money(line.creditMinor, currency)}</td>
                  <td>{balanceText(line.debitMinor - line.creditMinor)}</td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">{t('trial.sum')}</th>
                <td>{format.money(sum('debitMinor'), currency)}</td>
                <td>{format.money(sum('creditMinor'), currency)}</td>
                <td>{balanceText(sum('debitMinor') - sum('creditMinor'))}</td>
              </tr>
            </tfoot>
          </table>
        )
      })}
    </details>
  )
}
