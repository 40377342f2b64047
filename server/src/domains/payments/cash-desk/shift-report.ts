/** Shifts of drawers: the list, and the printed report of each. */
import type { Readable } from 'node:stream'
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { formatDate, formatDay, formatMoney } from '@waybill/contract/ground/format'
import { parseSort } from '@waybill/contract/ground/paging'
import type {
  CashMovement,
  DrawerCount,
  DrawerShift,
  listOwnShifts,
  listShifts,
} from '@waybill/contract/payments/cash-desk'
import { readBatches } from '../../../db/batches.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import type { ReportRow } from '../../../lib/print/report-pdf.ts'
import type { Language } from '../../orders/present.ts'
import { renderCompanyReport } from '../../settings/company-report.ts'
import { type CashMovementRow, listMovementsAfter, shiftPage } from './queries.ts'
import { presentMovements, presentShifts, readShift } from './read-drawers.ts'

const batch = 500

/** Shifts of drawers by day; `stationId` null: of every station. */
export async function readShifts(
  deps: Deps,
  caller: StaffCaller,
  stationId: string | null,
  query: QueryOf<typeof listOwnShifts> & Pick<QueryOf<typeof listShifts>, 'difference'>,
): Promise<ResponseOf<typeof listShifts>> {
  const { offset, limit } = query
  const filter = {
    stationId,
    from: query.from ?? null,
    to: query.to ?? null,
    difference: query.difference ?? null,
    ascending: parseSort(query.sort)[0]?.descending === false,
  }
  const { rows, total } = await shiftPage(deps.db, filter, { offset, limit })
  return { items: await presentShifts(deps.db, caller, rows), total, offset, limit }
}

/** The printed report of a shift of a drawer, also of an open one. Throws not_found. */
export async function renderShift(
  deps: Deps,
  caller: StaffCaller,
  which: { stationId: string | null; id: string },
  language: Language,
): Promise<{ name: string; pdf: Readable }> {
  const drawer = await readShift(deps.db, caller, which)
  const { station, day, number, shift } = drawer
  return { name: `${station.code}-${day}-${number}-${shift}.pdf`, pdf: report(deps, drawer, language) }
}

/** The movements of a shift in order, read and presented in batches. */
async function* readMovements(db: DbOrTx, drawer: DrawerShift): AsyncGenerator<CashMovement> {
  const batches = readBatches((after: CashMovementRow | null) =>
    listMovementsAfter(db, drawer.id, after?.seq ?? 0, batch),
  )
  for await (const rows of batches) yield* await presentMovements(db, rows, { blind: drawer.sums === null })
}

function report(deps: Deps, drawer: DrawerShift, { t, locale }: Language): Readable {
  const { settings, db } = deps
  const money = (minor: number) => formatMoney(minor, drawer.currency, locale)
  const zone = settings.get('timezone')
  const time = (at: string) => formatDate(at, zone, settings.get('format.dateTime'), locale)
  const day = formatDay(drawer.day, settings.get('format.date'), locale)
  async function* rows(): AsyncGenerator<ReportRow> {
    yield { cells: [time(drawer.openedAt), t('cashDoc.float'), drawer.openedBy, '', money(drawer.floatMinor)] }
    for await (const move of readMovements(db, drawer)) {
      const details = [move.reference, move.reason].filter(Boolean).join('  ·  ')
      yield {
        cells: [
          time(move.at),
          details ? [t(`cashMovement.${move.kind}`), details] : t(`cashMovement.${move.kind}`),
          move.by,
          money(move.amountMinor),
          move.balanceAfterMinor === null ? '' : money(move.balanceAfterMinor),
        ],
      }
    }
    if (!drawer.pieces || drawer.pieces.length === 0) return
    yield { cells: ['', t('cashDoc.pieces'), '', '', ''], strong: true }
    for (const { valueMinor, count } of drawer.pieces)
      yield { cells: ['', `${count} × ${money(valueMinor)}`, '', money(count * valueMinor), ''] }
  }
  const title = t('cashDoc.title')
  const place = t('cashPage.drawerShift', { number: drawer.number, shift: drawer.shift })
  const facts: [string, string][] = [
    [t('cashDoc.station'), `${drawer.station.code}  ${drawer.station.name}`],
    [t('cashDoc.drawer'), t('cashDoc.drawerShift', { number: drawer.number, shift: drawer.shift })],
    [t('cashDoc.opened'), `${drawer.openedBy} · ${time(drawer.openedAt)}`],
    [
      t('cashDoc.closed'),
      drawer.closedAt ? `${drawer.closedBy ?? '–'} · ${time(drawer.closedAt)}` : t('cashDoc.stillOpen'),
    ],
    ...(drawer.reason ? ([[t('cashDoc.reason'), drawer.reason]] as [string, string][]) : []),
    ...(drawer.reopened
      ? ([
          [t('cashDoc.reopened'), `${drawer.reopened.by} · ${time(drawer.reopened.at)}`],
          [t('cashDoc.reopenReason'), drawer.reopened.reason],
        ] as [string, string][])
      : []),
  ]
  const sums: [string, number][] = [['cashDoc.float', drawer.floatMinor], ...(drawer.sums ? sumLines(drawer.sums) : [])]
  return renderCompanyReport(deps, locale, {
    title,
    subtitle: `${drawer.station.name}  ·  ${day}`,
    reference: `${drawer.station.code} ${drawer.day} ${drawer.number}/${drawer.shift}`,
    facts,
    columns: [
      { header: t('cashDoc.at'), width: 42 },
      { header: t('cashDoc.what') },
      { header: t('cashDoc.by'), width: 34 },
      { header: t('cashDoc.amount'), width: 28, align: 'right' },
      { header: t('cashDoc.balance'), width: 28, align: 'right' },
    ],
    rows: rows(),
    empty: t('cashDoc.empty'),
    closing: () => [
      ...sums.map(([key, minor]) => [t(key), money(minor)] as const),
      ...(drawer.countedMinor === null
        ? []
        : ([
            [t('cashDoc.difference'), money(drawer.differenceMinor ?? 0)],
            [t('cashDoc.counted'), money(drawer.countedMinor)],
          ] as const)),
    ],
    // A single count is in the sums already.
    furtherTables: (drawer.counts?.length ?? 0) > 1 ? [countTable(drawer.counts ?? [], { t, money, time })] : [],
    foot: (page) => t('cashDoc.foot', { page, station: `${drawer.station.code}  ·  ${place}`, day }),
  })
}

const sumLines = (sums: NonNullable<DrawerShift['sums']>): [string, number][] => [
  ['cashMovement.sale', sums.salesMinor],
  ['cashMovement.hand_in', sums.handedInMinor],
  ['cashMovement.cash_in', sums.cashInMinor],
  ['cashMovement.cash_out', sums.cashOutMinor],
  ['cashMovement.bank', sums.bankMinor],
  ['cashDoc.expected', sums.expectedMinor],
]

type Texts = Pick<Language, 't'> & { money: (minor: number) => string; time: (at: string) => string }

/** All counts of a drawer, for its report: the first one first. */
function countTable(counts: readonly DrawerCount[], { t, money, time }: Texts) {
  return {
    title: t('cashDoc.counts'),
    columns: [
      { header: t('cashDoc.at'), width: 42 },
      { header: t('cashDoc.reason') },
      { header: t('cashDoc.by'), width: 34 },
      { header: t('cashDoc.counted'), width: 28, align: 'right' as const },
      { header: t('cashDoc.difference'), width: 28, align: 'right' as const },
    ],
    rows: counts.toReversed().map(({ at, by, countedMinor, differenceMinor, reason, accepted }) => ({
      cells: [
        time(at),
        accepted ? (reason ?? '') : t('cashDoc.countRefused'),
        by,
        money(countedMinor),
        money(differenceMinor),
      ],
    })),
    empty: '',
  }
}
