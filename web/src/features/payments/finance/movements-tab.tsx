import { Button } from '@mantine/core'
import { countLimit } from '@waybill/contract/ground/paging'
import { type BookEntry, bookKinds, exportEntries, searchEntries } from '@waybill/contract/wallet/ledger'
import { movementKinds } from '@waybill/contract/wallet/wallet'
import { returnWithdrawal } from '@waybill/contract/wallet/withdrawals'
import { useState } from 'react'
import { CopyNumber } from '../../../components/display/copy-number.tsx'
import { Time } from '../../../components/display/time.tsx'
import { DateField } from '../../../components/fields/date-field.tsx'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { ReversalDialog } from './reversal-dialog.tsx'

const filters = ['kind', 'book', 'amountMinor', 'from', 'to'] as const

/** What an entry moves: the sum of one of its sides. */
const readAmount = ({ postings }: BookEntry) =>
  postings.reduce((sum, { amountMinor }) => sum + Math.max(amountMinor, 0), 0)

/** A search over all ledger entries, with both sides of each. A withdrawal that the bank returns is reversed here. */
export function MovementsTab() {
  const t = useT()
  const format = useFormat()
  const list = useList(searchEntries, { filters })
  const callOnce = useCallOnce()
  const amount = list.filter('amountMinor')
  const [returnedEntry, setReturnedEntry] = useState<BookEntry | null>(null)
  const returnedAmount = returnedEntry && format.money(readAmount(returnedEntry), returnedEntry.postings[0]?.currency)
  return (
    <>
      <DataList
        tall
        list={list}
        label={t('financePage.movements')}
        sheet={exportEntries}
        searchLabel={t('entries.search')}
        countedTo={countLimit}
        rowKey={(row: BookEntry) => row.id}
        rowName={(row) => `${t(`movement.${row.kind}`)} ${row.reference ?? ''}`}
        filters={
          <>
            <SelectField
              field={list.filter('kind', t('walletPage.kind'))}
              choices={movementKinds.map((value) => ({ value, label: t(`movement.${value}`) }))}
            />
            <SelectField
              field={list.filter('book', t('trial.book'))}
              choices={bookKinds.map((value) => ({ value, label: t(`book.${value}`) }))}
            />
            <MoneyField
              field={{
                ...amount,
                value: amount.value === null ? null : Number(amount.value),
                onChange: (minor) => amount.onChange(minor === null || Number.isNaN(minor) ? null : String(minor)),
              }}
            />
            <DateField field={list.filter('from')} />
            <DateField field={list.filter('to')} />
          </>
        }
        columns={[
          {
            id: 'what',
            header: t('entries.movement'),
            card: 'title',
            phone: 'title',
            phoneCell: (row) => [t(`movement.${row.kind}`), row.reference].filter(Boolean).join(' · '),
            cell: (row) => (
              <>
                {t(`movement.${row.kind}`)}
                {row.reference && <Quiet>{row.reference}</Quiet>}
                <Quiet>
                  <CopyNumber value={row.id} text={t('entries.id')} />
                </Quiet>
              </>
            ),
          },
          {
            id: 'at',
            header: t('cashDoc.at'),
            phone: 'detail',
            phoneCell: (row) => (
              <>
                <Time at={row.at} /> · {row.by ?? row.accountName ?? t('entries.nobody')}
              </>
            ),
            cell: (row) => (
              <>
                <Time at={row.at} relative={false} />
                <Quiet>{row.by ?? row.accountName ?? t('entries.nobody')}</Quiet>
              </>
            ),
          },
          {
            id: 'amount',
            header: t('financePage.amount'),
            align: 'end',
            phone: 'end',
            cell: (row) => format.money(readAmount(row), row.postings[0]?.currency),
          },
          {
            id: 'postings',
            header: t('entries.postings'),
            cell: (row) => (
              <Facts>
                {row.postings.map((posting) => (
                  <Fact
                    key={[posting.book, posting.accountName, posting.stationName, posting.amountMinor].join()}
                    label={
                      <>
                        {t(`book.${posting.book}`)}
                        {(posting.accountName ?? posting.stationName) && (
                          <Quiet>{posting.accountName ?? posting.stationName}</Quiet>
                        )}
                      </>
                    }
                  >
                    {/* As in the trial balance: a negative amount is on the debit side. */}
                    {t(posting.amountMinor < 0 ? 'trial.onDebit' : 'trial.onCredit', {
                      amount: format.money(Math.abs(posting.amountMinor), posting.currency),
                    })}
                  </Fact>
                ))}
              </Facts>
            ),
          },
          {
            id: 'work',
            kind: 'work',
            header: t('list.actions'),
            align: 'end',
            cell: (row) =>
              row.returnable && (
                <Button
                  size="compact-sm"
                  aria-label={t('phrase.labelled', { label: t('withdrawal.returned'), value: row.reference ?? row.id })}
                  onClick={() => setReturnedEntry(row)}
                >
                  {t('withdrawal.returned')}
                </Button>
              ),
          },
        ]}
        empty={{ title: t('entries.empty'), text: t('entries.emptyHint') }}
      />
      {returnedEntry && (
        <ReversalDialog
          title={t('withdrawal.returnedTitle', { amount: returnedAmount })}
          text={t('withdrawal.returnedText', { reference: returnedEntry.reference })}
          save={t('withdrawal.returnedAct')}
          success={t('withdrawal.returnedSaid', { amount: returnedAmount })}
          refresh={[searchEntries]}
          send={(reason) => callOnce(returnWithdrawal, { params: { id: returnedEntry.id }, body: { reason } })}
          onClose={() => setReturnedEntry(null)}
        />
      )}
    </>
  )
}
