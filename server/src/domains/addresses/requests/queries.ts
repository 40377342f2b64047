/** Queries on the links with which receivers enter their address. */
import type { Selectable } from 'kysely'
import { deleteOldRows } from '../../../db/batches.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AddressRequests } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'

/** A link without its token. */
export type RequestRow = Omit<Selectable<AddressRequests>, 'token_hash' | 'account_id'> & { account_id: AccountId }

const requestColumns = [
  'account_id',
  'id',
  'label',
  'email',
  'created_by',
  'created_at',
  'expires_at',
  'answered_at',
  'withdrawn_at',
  'address_id',
] as const

type NewRequest = Pick<RequestRow, 'id' | 'label' | 'email' | 'created_by' | 'created_at' | 'expires_at'> & {
  token_hash: Buffer
}

export async function insertRequest(trx: DbOrTx, accountId: AccountId, request: NewRequest): Promise<RequestRow> {
  return trx
    .insertInto('address_requests')
    .values({ account_id: accountId, ...request })
    .returning(requestColumns)
    .$narrowType<{ account_id: AccountId }>()
    .executeTakeFirstOrThrow()
}

/** A page of the account's links, newest first. */
export async function listRequestRows(
  db: DbOrTx,
  accountId: AccountId,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: RequestRow[]; total: number }> {
  const ofAccount = db.selectFrom('address_requests').where('account_id', '=', accountId)
  const rows = await ofAccount
    .select(requestColumns)
    .$narrowType<{ account_id: AccountId }>()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  const { total } = await ofAccount.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

/** A link of the account, locked until the transaction ends. */
export async function lockRequest(trx: DbOrTx, accountId: AccountId, id: string): Promise<RequestRow | undefined> {
  return trx
    .selectFrom('address_requests')
    .select(requestColumns)
    .$narrowType<{ account_id: AccountId }>()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** The link of a token; `lock` locks it until the transaction ends, so that it is used once. */
export async function findRequestByToken(db: DbOrTx, hash: Buffer, lock: boolean): Promise<RequestRow | undefined> {
  const query = db
    .selectFrom('address_requests')
    .select(requestColumns)
    .$narrowType<{ account_id: AccountId }>()
    .where('token_hash', '=', hash)
  return (lock ? query.forUpdate() : query).executeTakeFirst()
}

export async function markWithdrawn(trx: DbOrTx, { account_id, id }: RequestRow, at: Date): Promise<void> {
  await trx
    .updateTable('address_requests')
    .set({ withdrawn_at: at })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

export async function markAnswered(
  trx: DbOrTx,
  { account_id, id }: RequestRow,
  answer: { addressId: string; at: Date },
): Promise<void> {
  await trx
    .updateTable('address_requests')
    .set({ answered_at: answer.at, address_id: answer.addressId })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

/** Points the links of these addresses to the one that was kept. */
export async function moveRequests(
  trx: DbOrTx,
  accountId: AccountId,
  from: readonly string[],
  to: string,
): Promise<void> {
  await trx
    .updateTable('address_requests')
    .set({ address_id: to })
    .where('account_id', '=', accountId)
    .where('address_id', 'in', from)
    .execute()
}

/** Deletes links that ended before. */
export async function deleteOldRequests(db: DbOrTx, before: Date): Promise<void> {
  await deleteOldRows(db, 'address_requests', 'expires_at', before)
}
