/** Queries on identities. */
import type { IdentityProvider } from '@waybill/contract/ground/constants'
import type { Insertable, Selectable } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Identities } from '../../../db/schema.ts'
import type { UserKind } from '../queries.ts'

export type IdentityRow = Omit<Selectable<Identities>, 'provider'> & { provider: IdentityProvider }

/** The identity of a person at a provider, locked. */
export async function lockIdentity(
  trx: DbOrTx,
  kind: UserKind,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<IdentityRow | undefined> {
  const row = await trx
    .selectFrom('identities')
    .selectAll()
    .where('kind', '=', kind)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .forUpdate()
    .executeTakeFirst()
  return row as IdentityRow | undefined
}

/** Links an identity to a user. Violates `identities_subject` or `identities_user_issuer`. */
export async function insertIdentity(trx: DbOrTx, row: Insertable<Identities>): Promise<void> {
  await trx.insertInto('identities').values(row).execute()
}

/** Stores the time of an identity's last sign-in. */
export async function saveIdentityUse(trx: DbOrTx, id: string, at: Date): Promise<void> {
  await trx.updateTable('identities').set({ last_used_at: at }).where('id', '=', id).execute()
}

/** The identities of a user, oldest first. */
export async function listIdentityRows(db: DbOrTx, userId: string): Promise<IdentityRow[]> {
  const rows = await db
    .selectFrom('identities')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows as IdentityRow[]
}

/** Disconnects an identity. */
export async function deleteIdentity(trx: DbOrTx, id: string): Promise<void> {
  await trx.deleteFrom('identities').where('id', '=', id).execute()
}
