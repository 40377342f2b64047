import { Button } from '@mantine/core'
import { type BilledAccount, exportBilledAccounts, listBilledAccounts } from '@waybill/contract/orders/monthly-billing'
import { useState } from 'react'
import { Buttons, Panel } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { ErrorText } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { TermsDialog } from '../../accounts/shared/terms-dialog.tsx'
import { ReceiptsDialog } from './receipts-dialog.tsx'

const buckets = ['notDueMinor', 'days1to30Minor', 'days31to60Minor', 'days61to90Minor', 'over90Minor'] as const

/** Companies with monthly billing: credit limit, debt, and how long it is overdue. */
export function CompaniesTab() {
  const t = useT()
  const format = useFormat()
  const list = useList(listBilledAccounts, { defaultSort: '+name' })
  const [openDialog, setOpenDialog] = useState<{ row: BilledAccount; what: 'terms' | 'receipts' } | null>(null)
  const totals = list.result.data?.totals
  const currency = list.result.data?.items[0]?.currency
  // A payment changes what the company owes while its dialog is open.
  const current = list.result.data?.items.find(({ id }) => id === openDialog?.row.id)
  const close = () => setOpenDialog(null)
  const limitText = ({ limitMinor, currency }: BilledAccount) =>
    limitMinor === 0 ? t('companies.noCredit') : format.money(limitMinor, currency)
  return (
    <>
      {totals && currency && (
        <Panel as="div" padding={16} style={{ marginBlockEnd: 24 }}>
          <Facts layout="tiles" min={150}>
            {buckets.map((bucket) => (
              <Fact key={bucket} label={t(`companies.${bucket}`)}>
                <strong
                  style={bucket !== 'notDueMinor' && totals[bucket] > 0 ? { color: 'var(--wb-danger)' } : undefined}
                >
                  {format.money(totals[bucket], currency)}
                </strong>
              </Fact>
            ))}
          </Facts>
        </Panel>
      )}
      <DataList
        list={list}
        label={t('financePage.companies')}
        sheet={exportBilledAccounts}
        searchLabel={t('companies.search')}
        rowKey={(row: BilledAccount) => row.id}
        rowName={(row) => row.name}
        columns={[
          {
            id: 'name',
            header: t('companies.company'),
            card: 'title',
            phone: 'title',
            cell: (row) => row.name,
          },
          {
            id: 'consent',
            header: t('companies.consent'),
            show: 'chosen',
            cell: (row) => row.consentVersion ?? t('companies.noConsent'),
          },
          {
            id: 'limit',
            header: t('companies.limit'),
            // The terms have it too; the overdue amounts do not fit beside it.
            show: 'wide',
            align: 'end',
            phone: 'detail',
            phoneCell: (row) => `${t('companies.limit')} ${limitText(row)}`,
            cell: limitText,
          },
          {
            id: 'days',
            header: t('companies.termsDays'),
            align: 'end',
            show: 'chosen',
            cell: (row) => format.number(row.termsDays),
          },
          {
            id: 'used',
            header: t('companies.owes'),
            align: 'end',
            phone: 'end',
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
                <ErrorText as="span">{format.money(row.ageing[bucket], row.currency)}</ErrorText>
              ),
          })),
          {
            id: 'work',
            kind: 'work' as const,
            header: t('list.actions'),
            align: 'end' as const,
            cell: (row) => (
              <Buttons as="span" align="end">
                <Button
                  size="compact-sm"
                  aria-label={t('companies.termsOf', { name: row.name })}
                  onClick={() => setOpenDialog({ row, what: 'terms' })}
                >
                  {t('companies.terms')}
                </Button>
                <Button
                  size="compact-sm"
                  aria-label={t('companies.receiptsOf', { name: row.name })}
                  onClick={() => setOpenDialog({ row, what: 'receipts' })}
                >
                  {t('companies.receipts')}
                </Button>
              </Buttons>
            ),
          },
        ]}
        empty={{ title: t('companies.empty'), text: t('companies.emptyHint') }}
      />
      {openDialog?.what === 'terms' && (
        <TermsDialog id={openDialog.row.id} name={openDialog.row.name} onClose={close} />
      )}
      {openDialog?.what === 'receipts' && <ReceiptsDialog company={current ?? openDialog.row} onClose={close} />}
    </>
  )
}
