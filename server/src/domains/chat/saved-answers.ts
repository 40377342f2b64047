/** Saved answers, which staff share in the inbox. */
import type { createAnswer, listAnswers, SavedAnswer, updateAnswer } from '@waybill/contract/chat/inbox'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../activity.ts'
import { type DbOrTx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { StaffCaller } from '../../http/caller.ts'
import { AppError, validationError } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { presentAnswer } from './present.ts'
import {
  type AnswerContent,
  countAnswers,
  deleteAnswerRow,
  insertAnswer,
  listAnswerRows,
  lockAnswer,
  updateAnswerRow,
} from './queries-messages.ts'

/** The screen lists all answers. */
const maxAnswers = 200

/** All saved answers by title. */
export async function readAnswers(deps: Deps): Promise<ResponseOf<typeof listAnswers>> {
  return { items: (await listAnswerRows(deps.db)).map(presentAnswer) }
}

const toContent = (
  deps: Deps,
  caller: StaffCaller,
  { title, text, language }: BodyOf<typeof createAnswer>,
): AnswerContent => ({ title, text, language, updated_by: caller.userId, updated_at: deps.clock.now() })

async function record(deps: Deps, trx: DbOrTx, caller: StaffCaller, action: string, id: string, title: string) {
  await recordActivity(trx, { action, userId: caller.userId, subject: id, detail: { title }, at: deps.clock.now() })
}

/** Saves an answer. Throws validation for a duplicate title in its language, and for the 201st answer. */
export async function saveAnswer(
  deps: Deps,
  caller: StaffCaller,
  body: BodyOf<typeof createAnswer>,
): Promise<SavedAnswer> {
  return tx(deps.db, async (trx) => {
    if ((await countAnswers(trx)) >= maxAnswers) {
      throw validationError({ field: 'title', rule: 'tooManyAnswers', vars: { max: maxAnswers } })
    }
    const row = await insertAnswer(trx, newId(), toContent(deps, caller, body))
    await record(deps, trx, caller, 'chat.answer_saved', row.id, row.title)
    return presentAnswer(row)
  })
}

/** Changes an answer. Throws not_found, version_conflict, and validation for a title that is taken. */
export async function changeAnswer(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, ...body }: BodyOf<typeof updateAnswer>,
): Promise<SavedAnswer> {
  return tx(deps.db, async (trx) => {
    const row = await lockAnswer(trx, id)
    if (!row) throw new AppError('not_found')
    if (row.version !== version) throw new AppError('version_conflict')
    const changed = await updateAnswerRow(trx, row, toContent(deps, caller, body))
    await record(deps, trx, caller, 'chat.answer_saved', id, changed.title)
    return presentAnswer(changed)
  })
}

/** Deletes an answer. Throws not_found. */
export async function removeAnswer(deps: Deps, caller: StaffCaller, id: string): Promise<{ ok: true }> {
  await tx(deps.db, async (trx) => {
    const row = await lockAnswer(trx, id)
    if (!row) throw new AppError('not_found')
    await deleteAnswerRow(trx, id)
    await record(deps, trx, caller, 'chat.answer_deleted', id, row.title)
  })
  return { ok: true }
}
