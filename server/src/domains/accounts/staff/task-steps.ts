/** The history of a rider's task. */
import type { TaskStep } from '@waybill/contract/ground/tasks'
import { listActivities, type ShownAction } from '../../../activity.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import { findStaff } from './queries.ts'

/** The maximum number of steps. */
const shownSteps = 50

const readText = (value: unknown) => (typeof value === 'string' ? value : null)

/**
 * The history of a task from the activity log, oldest first. `steps` maps actions to steps, `subject` is the subject of
 * the entries.
 */
export async function listTaskSteps(
  db: DbOrTx,
  subject: string,
  steps: Partial<Record<ShownAction, TaskStep['step']>>,
): Promise<TaskStep[]> {
  const rows = await listActivities(db, { actions: Object.keys(steps) as ShownAction[], subject }, shownSteps)
  const ids = rows.flatMap(({ user_id, detail }) => [user_id, readText(detail.riderId), readText(detail.from)])
  const staffMembers = await findStaff(db, [...new Set(ids.flatMap((id) => id ?? []))])
  const names = new Map(staffMembers.map(({ id, name }) => [id, name]))
  const findName = (id: unknown) => names.get(readText(id) ?? '') ?? null
  return rows.reverse().flatMap(({ action, at, user_id, detail }) => {
    const step = steps[action]
    if (!step) return []
    const { riderId, from, note } = detail
    return [
      {
        at: at.toISOString(),
        by: findName(user_id),
        step,
        rider: findName(riderId),
        from: findName(from),
        note: readText(note),
      },
    ]
  })
}
