import { confirm } from '../../../components/confirm.tsx'
import { t } from '../../../lib/i18n.ts'
import { indexedStore } from '../../../lib/send-queue/queue-store.ts'
import { countOpenNumbers } from './open-numbers.ts'

/** Before a sign-out: asks for a confirmation if scans are not recorded, and removes the recorded ones. */
export async function mayLeaveScans(userId: string): Promise<boolean> {
  const store = indexedStore<{ id: string; owner: string; state: string }>()
  // Without storage in this browser there is nothing to remove.
  const entries = await store.list(userId).catch(() => [])
  const successes = entries.filter(({ state }) => state === 'done')
  const count = entries.length - successes.length + countOpenNumbers()
  const question = {
    title: t('auth.unsentTitle'),
    message: t('auth.unsentText', { count }),
    action: t('auth.signOut'),
  }
  if (count > 0 && !(await confirm(question))) return false
  await store
    .remove(successes.map(({ id }) => id))
    .catch((error: unknown) => console.warn('Scans were not removed.', error))
  return true
}
