/** Monthly statements of companies. */

import type { Readable } from 'node:stream'
import { addDays, addMonths } from '@waybill/contract/ground/days'
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { formatDate, formatDay, formatMoney, formatMonth, fractionDigits } from '@waybill/contract/ground/format'
import type { listStatements, printStatement, Statement } from '@waybill/contract/orders/monthly-billing'
import { inBatches } from '../../../db/batches.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId, CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { forEachBatch, forEachItem } from '../../../jobs/each-item.ts'
import { dayIn } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { ReportRow } from '../../../lib/print/report-pdf.ts'
import { type SheetColumn, type SheetValue, writeSheet } from '../../../lib/sheet/write.ts'
import { companyIds } from '../../accounts/company/queries-corporate.ts'
import { billingParty, findAccountById } from '../../accounts/service.ts'
import { fact } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import { renderCompanyReport } from '../../settings/company-report.ts'
import type { ReceivableRow } from '../../wallet/ledger/queries-receivables.ts'
import { receivablePeriod } from '../../wallet/ledger/receivables.ts'
import type { Language } from '../present.ts'
import {
  findStatement,
  insertStatement,
  listStatementRows,
  lockOverdueStatements,
  markOverdueAnnounced,
  type StatementRow,
  startOfMonth,
} from './queries-statements.ts'
import { computeDebts } from './service.ts'

/** How many months back a company's first statement looks. */
const monthsBack = 24
const batch = 2_000
const overdueAtOnce = 100

/**
 * The nightly job `orders:statements`: creates and mails missing statements of past months, and mails once about each
 * overdue one. It can safely run twice.
 */
export async function makeStatements(deps: Deps): Promise<void> {
  const today = dayIn(deps.clock.now(), deps.settings.get('timezone'))
  const make = async () =>
    forEachItem(await companyIds(deps.db), (accountId) =>
      tx(deps.db, (trx) => makeMissing(deps, trx, accountId, today)),
    )
  const remind = () =>
    forEachBatch(
      deps.db,
      overdueAtOnce,
      (trx, limit, except) => lockOverdueStatements(trx, today, limit, except),
      async (trx, rows) => {
        await markOverdueAnnounced(
          trx,
          rows.map(({ id }) => id),
          deps.clock.now(),
        )
        for (const row of rows) await notifyOverdue(deps, trx, row)
      },
    )
  await forEachItem([make, remind], (part) => part())
}

async function makeMissing(deps: Deps, trx: Tx, accountId: AccountId, today: string): Promise<void> {
  const { settings, clock } = deps
  const [currency, timeZone] = [settings.get('currency'), settings.get('timezone')]
  const account = await findAccountById(trx, accountId)
  const [newest] = await listStatementRows(trx, [accountId])
  const missing: string[] = []
  for (
    let month = addMonths(today, -1);
    (newest === undefined || month > newest.month) && missing.length < monthsBack;
    month = addMonths(month, -1)
  )
    missing.unshift(month)
  // From the end of the last statement, also if the time zone has changed since: every movement is listed once.
  let beginsAt = newest?.ends_at ?? (await startOfMonth(trx, missing[0] ?? today.slice(0, 7), timeZone))
  for (const month of missing) {
    const period = { beginsAt, endsAt: await startOfMonth(trx, addMonths(month, 1), timeZone) }
    beginsAt = period.endsAt
    const { opening, charges, credits, receipts } = await receivablePeriod(trx, accountId, currency, period).sums()
    if (opening === 0 && charges === 0 && credits === 0 && receipts === 0) continue
    const statement = await insertStatement(trx, {
      account_id: accountId,
      id: newId(),
      month,
      currency,
      opening_minor: opening,
      charges_minor: charges,
      credits_minor: credits,
      receipts_minor: receipts,
      closing_minor: opening + charges - credits - receipts,
      due_on: addDays(today, account?.credit_terms_days ?? 30),
      issued_at: clock.now(),
      begins_at: period.beginsAt,
      ends_at: period.endsAt,
    })
    if (statement) await notifyOwner(deps, trx, statement, 'statement_issued', statement.closing_minor)
  }
}

async function notifyOverdue(deps: Deps, trx: Tx, row: StatementRow): Promise<void> {
  const debts = (await computeDebts(deps, trx, [row.account_id])).get(row.account_id)
  const unpaidMinor = debts?.statements.find(({ id }) => id === row.id)?.unpaidMinor ?? 0
  if (unpaidMinor > 0) await notifyOwner(deps, trx, row, 'statement_overdue', unpaidMinor)
}

async function notifyOwner(
  deps: Deps,
  trx: Tx,
  row: StatementRow,
  kind: 'statement_issued' | 'statement_overdue',
  amountMinor: number,
): Promise<void> {
  await notify(deps, trx, {
    kind,
    to: { owner: row.account_id },
    facts: {
      number: row.number,
      month: fact.month(row.month),
      amount: fact.money(amountMinor, row.currency),
      due: fact.day(row.due_on),
    },
  })
}

/** The company's statements with their unpaid parts, newest first. */
export async function readStatements(
  deps: Deps,
  caller: CustomerCaller,
  { offset, limit }: QueryOf<typeof listStatements>,
): Promise<ResponseOf<typeof listStatements>> {
  const debts = (await computeDebts(deps, deps.db, [caller.accountId])).get(caller.accountId)
  const all = debts?.statements ?? []
  const today = dayIn(deps.clock.now(), deps.settings.get('timezone'))
  const items = all.slice(offset, offset + limit).map((row) => present(row, row.unpaidMinor, today))
  return { items, total: all.length, offset, limit }
}

/** A month without charges leaves an older debt unpaid, so it is not called paid. */
function statementState(row: StatementRow, unpaidMinor: number, today: string): Statement['state'] {
  if (unpaidMinor > 0) return row.due_on < today ? 'overdue' : 'open'
  return row.charges_minor === 0 && row.closing_minor > 0 ? 'nothing' : 'paid'
}

function present(row: StatementRow, unpaidMinor: number, today: string): Statement {
  return {
    id: row.id,
    number: row.number,
    month: row.month,
    currency: row.currency,
    openingMinor: row.opening_minor,
    chargesMinor: row.charges_minor,
    creditsMinor: row.credits_minor,
    receiptsMinor: row.receipts_minor,
    closingMinor: row.closing_minor,
    dueOn: row.due_on,
    unpaidMinor,
    state: statementState(row, unpaidMinor, today),
    issuedAt: row.issued_at.toISOString(),
  }
}

type Line = ReceivableRow & { balance: number }

/** What a movement charged and credited. A cancelled receipt is a negative credit, as in the sums of the statement. */
const splitAmount = (kind: Line['kind'], amount: number): [charged: number | null, credited: number | null] =>
  amount > 0 && kind !== 'receipt_cancelled' ? [amount, null] : [null, -amount]

/** A statement as a document, with every movement of its month. Throws not_found, also for another company's. */
export async function renderStatement(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { format }: QueryOf<typeof printStatement>,
  language: Language,
): Promise<{ name: string; file: Readable }> {
  const row = await findStatement(deps.db, caller.accountId, id)
  if (!row) throw new AppError('not_found')
  const lines = listMovements(deps, row)
  const name = `${row.number}.${format}`
  if (format !== 'pdf') return { name, file: spreadsheet(deps, row, format, lines, language) }
  const holder = await billingParty(deps.db, caller.accountId)
  return { name, file: document(deps, row, holder, lines, language) }
}

/**
 * The statement's movements with the running balance. Throws if the last one differs from its closing balance.
 */
async function* listMovements({ db }: Deps, row: StatementRow): AsyncGenerator<Line> {
  const period = receivablePeriod(db, row.account_id, row.currency, { beginsAt: row.begins_at, endsAt: row.ends_at })
  let balance = row.opening_minor
  for await (const line of inBatches((after: ReceivableRow | null) => period.after(after?.seq ?? 0, batch))) {
    balance += line.amount
    yield { ...line, balance }
  }
  if (balance !== row.closing_minor)
    throw new Error(`statement ${row.number} ends at ${row.closing_minor}, but its movements at ${balance}`)
}

function spreadsheet(
  { settings }: Deps,
  row: StatementRow,
  format: 'xlsx' | 'csv',
  lines: AsyncIterable<Line>,
  { t }: Language,
): Readable {
  const columns: SheetColumn[] = [
    { header: t('walletPage.at'), kind: 'time' },
    { header: t('walletPage.kind'), kind: 'text', width: 24 },
    { header: t('statement.reference'), kind: 'text' },
    { header: t('phrase.detail', { text: t('billing.charged'), detail: row.currency }), kind: 'money' },
    { header: t('phrase.detail', { text: t('billing.credited'), detail: row.currency }), kind: 'money' },
    { header: t('phrase.detail', { text: t('billing.owed'), detail: row.currency }), kind: 'money' },
  ]
  async function* rows(): AsyncGenerator<SheetValue[]> {
    yield [null, t('statement.opening'), null, null, null, row.opening_minor]
    for await (const { at, kind, reference, amount, balance } of lines)
      yield [at, t(`movement.${kind}`), reference, ...splitAmount(kind, amount), balance]
    yield [
      null,
      t('statement.closing'),
      null,
      row.charges_minor,
      row.credits_minor + row.receipts_minor,
      row.closing_minor,
    ]
  }
  const moneyDecimals = fractionDigits(row.currency)
  return writeSheet(format, rows(), { name: row.number, columns, timeZone: settings.get('timezone'), moneyDecimals, t })
}

function document(
  deps: Deps,
  row: StatementRow,
  holder: { name: string; registrationNumber: string | null },
  lines: AsyncIterable<Line>,
  { t, locale }: Language,
): Readable {
  const { settings } = deps
  const money = (minor: number) => formatMoney(minor, row.currency, locale)
  const pattern = settings.get('format.date')
  const date = (at: Date) => formatDate(at.toISOString(), settings.get('timezone'), pattern, locale)
  async function* rows(): AsyncGenerator<ReportRow> {
    for await (const { at, kind, reference, amount, balance } of lines) {
      const [charged, credited] = splitAmount(kind, amount).map((minor) => (minor === null ? '' : money(minor)))
      const what = t(`movement.${kind}`)
      yield { cells: [date(at), reference ? [what, reference] : what, charged ?? '', credited ?? '', money(balance)] }
    }
  }
  const subtitle = `${row.number}  ·  ${formatMonth(row.month, locale)}`
  const facts: [string, string][] = [
    [t('billing.company'), holder.name],
    [t('billing.due'), formatDay(row.due_on, pattern, locale)],
    [t('statement.opening'), money(row.opening_minor)],
    [t('billing.amountDue'), money(row.closing_minor)],
  ]
  return renderCompanyReport(deps, locale, {
    title: t('billing.statement'),
    subtitle,
    reference: row.number,
    registration: (['registrationNumber', 'taxNumber'] as const).flatMap((key) => {
      const number = settings.get(`company.${key}`)
      return number ? `${t(`invoiceDoc.${key}`)} ${number}` : []
    }),
    facts,
    columns: [
      // Wide enough for a Chinese date with two digits each for month and day.
      { header: t('walletPage.at'), width: 33 },
      { header: t('walletPage.kind') },
      { header: t('billing.charged'), width: 30, align: 'right' },
      { header: t('billing.credited'), width: 30, align: 'right' },
      { header: t('billing.owed'), width: 32, align: 'right' },
    ],
    rows: rows(),
    empty: t('statement.empty'),
    closing: () => [
      [t('statement.opening'), money(row.opening_minor)],
      [t('billing.charged'), money(row.charges_minor)],
      [t('billing.credits'), money(-row.credits_minor)],
      [t('billing.receipts'), money(-row.receipts_minor)],
      [t('billing.amountDue'), money(row.closing_minor)],
    ],
    foot: (page) => t('billing.foot', { page, number: row.number }),
  })
}
