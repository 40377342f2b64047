/** The monthly statement of a wallet. */
import type { Readable } from 'node:stream'
import type { Locale } from '@waybill/contract/ground/constants'
import type { QueryOf } from '@waybill/contract/ground/endpoint'
import { formatDate, formatMoney, formatMonth, fractionDigits } from '@waybill/contract/ground/format'
import type { Translate } from '@waybill/contract/ground/validation'
import type { walletStatement } from '@waybill/contract/wallet/preferences'
import { inBatches } from '../../db/batches.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { dayIn } from '../../lib/clock.ts'
import type { ReportRow } from '../../lib/print/report-pdf.ts'
import { type SheetColumn, type SheetValue, writeSheet } from '../../lib/sheet/write.ts'
import { billingParty } from '../accounts/service.ts'
import { renderCompanyReport } from '../settings/company-report.ts'
import { walletLedgerId } from './ledger/service.ts'
import { type Month, monthMovements, monthTotals, type WalletStatementRow } from './queries-statement.ts'

type Language = { locale: Locale; t: Translate }

const batch = 2_000

/**
 * The statement of a past month, as PDF or spreadsheet. Balances are computed from its movements, and must end at the
 * closing balance of the books: a statement that does not reconcile is an error, never a document. Throws
 * month_not_over.
 */
export async function getStatement(
  deps: Deps,
  caller: CustomerCaller,
  { month, format }: QueryOf<typeof walletStatement>,
  language: Language,
): Promise<{ name: string; file: Readable }> {
  const { settings, clock, db } = deps
  const timeZone = settings.get('timezone')
  if (dayIn(clock.now(), timeZone).slice(0, 7) <= month)
    throw new AppError('month_not_over', { fields: [{ field: 'month', rule: 'monthNotOver' }] })
  const wallet = walletLedgerId(caller.accountId, settings.get('currency'))
  const span = { month, timeZone }
  const totals = await monthTotals(db, wallet, span)
  const lines = running(deps, wallet, span, totals)
  const name = `wallet-${month}.${format}`
  if (format !== 'pdf') return { name, file: spreadsheet(deps, format, lines, totals, language) }
  const holder = await billingParty(db, caller.accountId)
  return { name, file: document(deps, month, holder.name, lines, totals, language) }
}

type Totals = Awaited<ReturnType<typeof monthTotals>>
type Line = WalletStatementRow & { balance: number }

/** Movements with the running balance. Throws at the end if it is not the closing balance of the books. */
async function* running({ db }: Deps, wallet: string, month: Month, totals: Totals): AsyncGenerator<Line> {
  let balance = totals.opening
  const next = (after: WalletStatementRow | null) => monthMovements(db, wallet, month, after?.seq ?? 0, batch)
  for await (const row of inBatches(next)) {
    balance += row.amount_minor
    yield { ...row, balance }
  }
  if (balance !== totals.closing)
    throw new Error(`the statement ends at ${balance}, but the books have ${totals.closing}`)
}

function spreadsheet(
  { settings }: Deps,
  format: 'xlsx' | 'csv',
  lines: AsyncIterable<Line>,
  totals: Totals,
  { t }: Language,
): Readable {
  const label = settings.get('wallet.creditLabel')
  const columns: SheetColumn[] = [
    { header: t('walletPage.at'), kind: 'time' },
    { header: t('walletPage.kind'), kind: 'text', width: 24 },
    { header: t('statement.reference'), kind: 'text' },
    { header: t('phrase.detail', { text: t('statement.in'), detail: label }), kind: 'money' },
    { header: t('phrase.detail', { text: t('statement.out'), detail: label }), kind: 'money' },
    { header: t('phrase.detail', { text: t('walletPage.balanceAfter'), detail: label }), kind: 'money' },
  ]
  async function* rows(): AsyncGenerator<SheetValue[]> {
    yield [null, t('statement.opening'), null, null, null, totals.opening]
    for await (const { at, kind, reference, amount_minor: amount, balance } of lines)
      yield [at, t(`movement.${kind}`), reference, amount > 0 ? amount : null, amount < 0 ? -amount : null, balance]
    yield [null, t('statement.closing'), null, totals.came, totals.went, totals.closing]
  }
  const decimals = fractionDigits(settings.get('currency'))
  const options = {
    name: t('statement.title'),
    columns,
    timeZone: settings.get('timezone'),
    moneyDecimals: decimals,
    t,
  }
  return writeSheet(format, rows(), options)
}

function document(
  deps: Deps,
  month: string,
  holder: string,
  lines: AsyncIterable<Line>,
  totals: Totals,
  { t, locale }: Language,
): Readable {
  const { settings } = deps
  const currency = settings.get('currency')
  const timeZone = settings.get('timezone')
  const money = (minor: number) => formatMoney(minor, currency, locale)
  const time = (at: Date) => formatDate(at.toISOString(), timeZone, settings.get('format.dateTime'), locale)
  const title = t('statement.title')
  const subtitle = formatMonth(month, locale)
  async function* rows(): AsyncGenerator<ReportRow> {
    for await (const { at, kind, reference, amount_minor: amount, balance } of lines) {
      const what = t(`movement.${kind}`)
      yield {
        cells: [
          time(at),
          reference ? [what, reference] : what,
          amount > 0 ? money(amount) : '',
          amount < 0 ? money(-amount) : '',
          money(balance),
        ],
      }
    }
  }
  const now = deps.clock.now()
  return renderCompanyReport(deps, locale, {
    title,
    subtitle,
    reference: subtitle,
    facts: [
      [t('statement.holder'), holder],
      [t('statement.opening'), money(totals.opening)],
      [t('statement.closing'), money(totals.closing)],
      [t('statement.made'), time(now)],
    ],
    columns: [
      { header: t('walletPage.at'), width: 42 },
      { header: t('walletPage.kind') },
      { header: t('statement.in'), width: 29, align: 'right' },
      { header: t('statement.out'), width: 29, align: 'right' },
      { header: t('walletPage.balanceAfter'), width: 31, align: 'right' },
    ],
    rows: rows(),
    empty: t('statement.empty'),
    closing: () => [
      [t('statement.opening'), money(totals.opening)],
      [t('statement.in'), money(totals.came)],
      [t('statement.out'), money(-totals.went)],
      [t('statement.closing'), money(totals.closing)],
    ],
    foot: (page) =>
      t('statement.foot', {
        page,
        credits: `1 ${settings.get('wallet.creditLabel')} = ${money(10 ** fractionDigits(currency))}`,
      }),
  })
}
