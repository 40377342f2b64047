/** Finds, merges and dismisses duplicates in the address book. */
import type { Address } from '@waybill/contract/addresses/addresses'
import {
  type dismissDuplicates,
  duplicateLimits,
  type listDuplicates,
  type mergeDuplicates,
} from '@waybill/contract/addresses/duplicates'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId, CustomerCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { requireValidAddress } from '../check-address.ts'
import { presentAddress } from '../present.ts'
import { clearDefault, deleteAddresses, lockAddresses, lockDefault, rowsById, updateContent } from '../queries.ts'
import { moveRequests } from '../requests/queries.ts'
import { insertDistinctions, listDuplicatePairs } from './queries.ts'
import { groupPairs } from './rules.ts'

/** The first groups of duplicates, and how many there are. */
export async function findDuplicates({ db }: Deps, accountId: AccountId): Promise<ResponseOf<typeof listDuplicates>> {
  const all = groupPairs(await listDuplicatePairs(db, accountId))
  const groups = all.slice(0, duplicateLimits.groups)
  const rows = await rowsById(
    db,
    accountId,
    groups.flatMap(({ ids }) => ids),
  )
  const byId = new Map(rows.map((row) => [row.id, presentAddress(row)]))
  return {
    groups: groups.flatMap(({ kind, ids }) => {
      // An address may have been deleted between the two queries.
      const addresses = ids.flatMap((id) => byId.get(id) ?? [])
      return addresses.length > 1 ? [{ kind, addresses }] : []
    }),
    total: all.length,
  }
}

/**
 * Writes the chosen values into one address and deletes the others. The default flag and the links of receivers are
 * moved to it. Throws not_found, version_conflict, and the errors of `requireValidAddress`.
 */
export async function mergeAddresses(
  deps: Deps,
  { accountId, userId }: CustomerCaller,
  { keep: { id, version, ...input }, remove }: BodyOf<typeof mergeDuplicates>,
): Promise<Address> {
  const removedIds = remove.map((one) => one.id)
  if (new Set([id, ...removedIds]).size <= removedIds.length) {
    throw validationError({ field: 'remove', rule: 'addressTwice' })
  }
  const at = deps.clock.now()
  const merged = await tx(deps.db, async (trx) => {
    // Locked before the rows, in the same order as in a change of the default, to avoid a deadlock.
    await lockDefault(trx, accountId)
    const rows = await lockAddresses(trx, accountId, [id, ...removedIds])
    if (rows.length <= removedIds.length) throw new AppError('not_found')
    const versions = new Map([{ id, version }, ...remove].map((one) => [one.id, one.version]))
    if (rows.some((row) => row.version !== versions.get(row.id))) throw new AppError('version_conflict')
    const isDefault = input.isDefault || rows.some(({ is_default }) => is_default)
    const before = rows.flatMap(({ overridden }) => overridden)
    const content = requireValidAddress({ ...input, isDefault }, { by: userId, at }, before)
    await moveRequests(trx, accountId, removedIds, id)
    await deleteAddresses(trx, accountId, removedIds)
    if (content.is_default) await clearDefault(trx, accountId, id)
    const row = await updateContent(trx, accountId, content, { id, version, at })
    if (!row) throw new AppError('version_conflict')
    const detail = { removed: removedIds }
    await recordActivity(trx, { action: 'addresses.merge', accountId, userId, subject: id, detail, at })
    return row
  })
  return presentAddress(merged)
}

/** Marks these addresses as different. Throws not_found for one that does not belong to the account. */
export async function dismissGroup(
  { db, clock }: Deps,
  { accountId, userId }: CustomerCaller,
  { ids }: BodyOf<typeof dismissDuplicates>,
): Promise<void> {
  const distinct = [...new Set(ids)]
  await tx(db, async (trx) => {
    const rows = await lockAddresses(trx, accountId, distinct)
    if (rows.length < distinct.length) throw new AppError('not_found')
    await insertDistinctions(trx, accountId, distinct, { by: userId, at: clock.now() })
  })
}
