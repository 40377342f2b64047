/** Jobs that keep the figures of accounts. */

import type { Db, DbOrTx } from '../../db/pool.ts'
import { tx, withoutTimeLimit } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { forEachItem } from '../../jobs/each-item.ts'
import { accountIdsAfter } from '../accounts/service.ts'
import { addUpChanges, findWrongFigures, recountFigures, type WrongFigure } from './queries-figures.ts'

/** The number of changes added up in one transaction. */
const changesAtOnce = 5_000
const accountsAtOnce = 500

/** The job `dashboard:add-up`: adds the changes that the triggers recorded to the figures. */
export async function addUpFigures({ db }: Pick<Deps, 'db'>): Promise<void> {
  while ((await tx(db, (trx) => addUpChanges(trx, changesAtOnce))) === changesAtOnce);
}

async function* everyAccount(db: DbOrTx): AsyncGenerator<string> {
  let after: string | null = null
  for (;;) {
    const ids: string[] = await accountIdsAfter(db, after, accountsAtOnce)
    yield* ids
    after = ids.at(-1) ?? null
    if (after === null) return
  }
}

/**
 * The job `dashboard:recount`: recounts every account, each in its own transaction. Needed after a change of the time
 * zone, because the figures are by day.
 */
export async function recountAllFigures({ db }: Pick<Deps, 'db'>): Promise<void> {
  await forEachItem(everyAccount(db), (accountId) => recountAccount(db, accountId))
}

async function recountAccount(db: Db, accountId: string): Promise<void> {
  await tx(db, async (trx) => {
    await withoutTimeLimit(trx)
    await recountFigures(trx, accountId)
  })
}

export type FiguresReport = { accounts: number; wrong: (WrongFigure & { accountId: string })[] }

/** Compares the figures of every account with its parcels and orders. `repair` recounts accounts with wrong ones. */
export async function checkFigures(db: Db, { repair }: { repair: boolean }): Promise<FiguresReport> {
  const report: FiguresReport = { accounts: 0, wrong: [] }
  for await (const accountId of everyAccount(db)) {
    report.accounts += 1
    const wrong = await tx(db, async (trx) => {
      await withoutTimeLimit(trx)
      return findWrongFigures(trx, accountId)
    })
    report.wrong.push(...wrong.map((figure) => ({ ...figure, accountId })))
    if (repair && wrong.length > 0) await recountAccount(db, accountId)
  }
  return report
}
