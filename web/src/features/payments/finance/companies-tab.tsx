import { Button } from '@mantine/core'
import { type BilledAccount, listBilledAccounts } from '@waybill/contract/orders/monthly-billing'
import { useState } from 'react'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from './finance.module.css'
import { ReceiptsDialog } from './receipts-dialog.tsx'
import { TermsDialog } from './terms-dialog.tsx'

const buckets = ['notDueMinor', 'days1to30Minor', 'days31to60Minor', 'days61to90Minor', 'over90Minor'] as const

/** Companies that are billed by the month: what they may owe, what they owe, and for how long it is overdue. */
export function CompaniesTab() {
  const t = useT()
  const format = useFormat()
  const list = useList(listBilledAccounts, { defaultSort: '+name' })
  const [asked, setAsked] = useState<{ row: BilledAccount; what: 'terms' | 'receipts' } | null>(null)
  const totals = list.result.data?.totals
  const currency = list.result.data?.items[0]?.currency
  const close = () => setAsked(null)
  return (
    <>
      {totals && currency && (
        <dl className={classes.sums}>
          {buckets.map((bucket) => (
            <div key={bucket} data-late={bucket !== 'notDueMinor' && totals[bucket] > 0}>
              <dt>{t(`companies.${bucket}`)}</dt>
              <dd>{format.money(totals[bucket], currency)}</dd>
            </div>
          ))}
        </dl>
      )}
      <DataList
        list={list}
        label={t('financePage.companies')}
        searchLabel={t('companies.search')}
        rowKey={(row: BilledAccount) => row.id}
        columns={[
          {
            id: 'name',
            header: t('companies.company'),
            card: 'title',
            cell: (row) => (
              <>
                {row.name}
                <span className={classes.quiet}>
                  {row.consentVersion
                    ? t('companies.consented', { version: row.consentVersion })
                    : t('companies.notConsented')}
                </span>
              </>
            ),
          },
          {
            id: 'limit',
            header: t('companies.limit'),
            align: 'end',
            cell: (row) => (
              <>
                {row.limitMinor === 0 ? t('companies.noCredit') : format.money(row.limitMinor, row.currency)}
                <span className={classes.quiet}>{t('companies.days', { count: row.termsDays })}</span>
              </>
            ),
          },
          {
            id: 'used',
            header: t('companies.owes'),
            align: 'end',
            cell: (row) => format.money(row.usedMinor, row.currency),
          },
          ...buckets.slice(1).map((bucket) => ({
            id: bucket,
            header: t(`companies.${bucket}`),
            align: 'end' as const,
            cell: (row: BilledAccount) =>
              row.ageing[bucket] === 0 ? (
                '–'
              ) : (
                <span className={classes.late}>{format.money(row.ageing[bucket], row.currency)}</span>
              ),
          })),
          {
            id: 'work',
            header: '',
            align: 'end',
            cell: (row) => (
              <span className={classes.buttons}>
                <Button
                  size="sm"
                  aria-label={t('companies.termsOf', { name: row.name })}
                  onClick={() => setAsked({ row, what: 'terms' })}
                >
                  {t('companies.terms')}
                </Button>
                <Button
                  size="sm"
                  aria-label={t('companies.receiptsOf', { name: row.name })}
                  onClick={() => setAsked({ row, what: 'receipts' })}
                >
                  {t('companies.receipts')}
                </Button>
              </span>
            ),
          },
        ]}
        empty={{ title: t('companies.empty'), text: t('companies.emptyHint') }}
      />
      {asked?.what === 'terms' && <TermsDialog company={asked.row} onClose={close} />}
      {asked?.what === 'receipts' && <ReceiptsDialog company={asked.row} onClose={close} />}
    </>
  )
}
