import type { TestApp } from './app.ts'

/** The entries of the activity log with these values, the oldest first. */
export function listActivities(
  { deps }: Pick<TestApp, 'deps'>,
  { action, subject, userId }: { action?: string; subject?: string; userId?: string } = {},
) {
  let query = deps.db.selectFrom('activity_log').selectAll()
  if (action !== undefined) query = query.where('action', '=', action)
  if (subject !== undefined) query = query.where('subject', '=', subject)
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  return query.orderBy('at').orderBy('id').execute()
}
