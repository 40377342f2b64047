/** Cash drawers of stations. */
import type { TestApp } from '../app.ts'

/** The open shift of a station's drawer with its balance, which a clerk does not see. Fails if none is open. */
export async function readOpenShift(
  test: TestApp,
  stationId: string,
  number = 1,
): Promise<{ id: string; version: number; balance_minor: number }> {
  return test.deps.db
    .selectFrom('cash_drawers')
    .select(['id', 'version', 'balance_minor'])
    .where('station_id', '=', stationId)
    .where('number', '=', number)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
}
