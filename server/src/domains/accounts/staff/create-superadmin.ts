/** Creates the first superadmin, who cannot be invited because there are no users yet. */
import { newColleague } from '@waybill/contract/accounts/team'
import type { Locale } from '@waybill/contract/ground/constants'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { sendMail } from '../../../jobs/send-mail.ts'
import { newId } from '../../../lib/ids.ts'
import { findUser, findUserByEmail, insertUser, type UserRow } from '../queries.ts'
import { issuePasswordLink, linkLivesDays } from '../sign-in/password-links.ts'
import { listActiveSuperadmins, lockSuperadmins } from './queries-team.ts'

export type NewSuperadmin = { email: string; name: string; language: Locale; another: boolean }

/**
 * Creates a superadmin and mails a link to choose a password, before anything is committed: without the mail nobody
 * could ever sign in. A superadmin who has no password yet is mailed a new link instead.
 * @throws Error with a sentence for the operator: the values are invalid, there is a superadmin already, the address
 * is taken, or the mail could not be sent. Nothing is stored then.
 */
export async function createSuperadmin(
  deps: Deps,
  input: NewSuperadmin,
): Promise<{ email: string; expiresAt: Date; again: boolean }> {
  const parsed = newColleague.safeParse({ ...input, type: 'superadmin' })
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path }) => `--${String(path[0])}`)
    throw new Error(`${[...new Set(fields)].join(', ')}: not valid.`)
  }
  const { email, name, language } = parsed.data
  return tx(deps.db, async (trx) => {
    await lockSuperadmins(trx)
    const existing = await findUserByEmail(trx, 'staff', email)
    const others = await listActiveSuperadmins(trx)
    const again = existing !== undefined && others.some(({ id }) => id === existing.id)
    if (existing && !(again && existing.password_hash === null))
      throw new Error(`--email: ${email} belongs to a member of staff already.`)
    if (others.length > 0 && !again && !input.another) {
      throw new Error(
        'There is a superadmin already, who can invite others on the page Team. With --another you add one here.',
      )
    }
    const user = existing ?? (await insertSuperadmin(trx, deps, { email, name, language }))
    return { email, expiresAt: await mailLinkNow(trx, deps, user), again }
  })
}

async function insertSuperadmin(
  trx: Tx,
  deps: Deps,
  person: { email: string; name: string; language: Locale },
): Promise<UserRow> {
  const id = newId()
  const at = deps.clock.now()
  await insertUser(trx, { id, kind: 'staff', ...person, staff_type: 'superadmin', created_at: at, updated_at: at })
  await recordActivity(trx, { action: 'users.superadminCreated', level: 'ALERT', subject: id, at })
  const user = await findUser(trx, id)
  if (!user) throw new Error('the user that was just inserted does not exist')
  return user
}

/** Sends at once and not in a job: the operator sees whether the mail server accepted it, and no worker is needed. */
async function mailLinkNow(trx: Tx, deps: Deps, user: UserRow): Promise<Date> {
  const { url, expiresAt } = await issuePasswordLink(trx, deps, user)
  const vars = { name: user.name, email: user.email, days: linkLivesDays, url }
  try {
    await sendMail(deps, { to: user.email, template: 'superadmin_created', locale: user.language as Locale, vars })
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
    throw new Error(`The mail could not be sent, and nothing was stored: ${reason}.`, { cause: error })
  }
  return expiresAt
}
