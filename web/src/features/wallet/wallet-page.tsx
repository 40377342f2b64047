import { countLimit } from '@waybill/contract/ground/paging'
import {
  exportWalletHistory,
  getWallet,
  type Movement,
  movementKinds,
  walletHistory,
} from '@waybill/contract/wallet/wallet'
import { OnlyFor } from '../../components/access/only-for.tsx'
import { ButtonLink, TextLink } from '../../components/buttons/link.tsx'
import { Time } from '../../components/display/time.tsx'
import { Together } from '../../components/feedback/together.tsx'
import { DateField } from '../../components/fields/date-field.tsx'
import { SelectField } from '../../components/fields/select-field.tsx'
import { Grid, Heading } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { DataList } from '../../components/list/data-list.tsx'
import { DownloadExcel } from '../../components/list/download-excel.tsx'
import { useList } from '../../components/list/list-state.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { AlertCard } from './alert-card.tsx'
import { BalanceCard } from './balance-card.tsx'
import { BalanceChart, useNewestMovements } from './balance-chart.tsx'
import { StatementCard } from './statement-card.tsx'
import classes from './wallet.module.css'

const filters = ['kind', 'from', 'to'] as const

/** The wallet: balance, PIN, and all movements with the balance after each. */
export function WalletPage() {
  const t = useT()
  return (
    <OnlyFor rule="wallet.view" title={t('walletPage.title')}>
      <WalletContent />
    </OnlyFor>
  )
}

function WalletContent() {
  const t = useT()
  const format = useFormat()
  const mayAct = useSession((state) => state.auth.permissions.includes('wallet'))
  const list = useList(walletHistory, { filters, defaultSort: '-at' })
  const answers = [list.result, useCall(getWallet, {}), useNewestMovements()]
  const kinds = movementKinds.map((kind) => ({ value: kind, label: t(`movement.${kind}`) }))
  return (
    <>
      <PageHeader
        title={t('walletPage.title')}
        actions={
          <>
            <DownloadExcel endpoint={exportWalletHistory} narrowing={list.narrowing} />
            {mayAct && (
              <ButtonLink to="/wallet/top-up" variant="filled">
                {t('walletPage.topUp')}
              </ButtonLink>
            )}
          </>
        }
      />
      <Together answers={answers}>
        <BalanceCard />
        <BalanceChart />
        <Heading>{t('walletPage.history')}</Heading>
        <DataList
          list={list}
          label={t('walletPage.history')}
          countedTo={countLimit}
          rowKey={(row: Movement) => row.id}
          filters={
            <>
              <SelectField field={list.filter('kind', t('walletPage.kind'))} choices={kinds} />
              <DateField field={list.filter('from')} />
              <DateField field={list.filter('to')} />
            </>
          }
          columns={[
            {
              id: 'kind',
              header: t('walletPage.kind'),
              card: 'title',
              phone: 'title',
              phoneCell: (row) => t(`movement.${row.kind}`),
              cell: (row) => (
                <>
                  {t(`movement.${row.kind}`)}
                  {row.reference && (
                    <Quiet inline style={{ marginInlineStart: 8 }}>
                      {row.orderId ? (
                        <TextLink to="/orders/$id" params={{ id: row.orderId }}>
                          {row.reference}
                        </TextLink>
                      ) : (
                        row.reference
                      )}
                    </Quiet>
                  )}
                </>
              ),
            },
            {
              id: 'at',
              header: t('walletPage.at'),
              sort: 'at',
              phone: 'detail',
              phoneCell: (row) => (
                <>
                  <Time at={row.at} />
                  {row.reference && ` · ${row.reference}`}
                </>
              ),
              cell: (row) => <Time at={row.at} />,
            },
            {
              id: 'amount',
              header: t('walletPage.amount'),
              align: 'end',
              phone: 'end',
              cell: (row) => (
                <span className={classes.amount} data-in={row.amountMinor > 0}>
                  {row.amountMinor > 0 ? '+' : ''}
                  {format.credits(row.amountMinor)}
                </span>
              ),
            },
            {
              id: 'balance',
              header: t('walletPage.balanceAfter'),
              align: 'end',
              phone: 'detailEnd',
              cell: (row) => format.credits(row.balanceAfterMinor),
            },
          ]}
          empty={{ title: t('walletPage.empty'), text: t('walletPage.emptyHint') }}
        />
        <Grid min={320} style={{ marginBlockStart: 24 }}>
          <StatementCard />
          {mayAct && <AlertCard />}
        </Grid>
      </Together>
    </>
  )
}
