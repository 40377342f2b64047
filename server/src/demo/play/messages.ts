/** The questions of the demo's customers, the staff's answers, and a mail that was refused. */
import { sql } from 'kysely'
import { saveAnswer } from '../../domains/chat/saved-answers.ts'
import { appendMessage } from '../../domains/chat/service.ts'
import { notifyFailedWork } from '../../domains/failed-work/jobs.ts'
import { withoutKey } from '../../http/idempotency.ts'
import { addJob } from '../../jobs/jobs.ts'
import { demoAccounts } from '../story/people.ts'
import { createCaller, type Stage, staffCaller } from './stage.ts'

const savedAnswers = [
  { title: 'Opening hours', text: 'Our counters are open Monday to Saturday, 9 am to 6 pm.', language: 'en' },
  {
    title: 'Parcel is late',
    text: 'I am sorry for the delay. I am asking the station and will write today.',
    language: 'en',
  },
  { title: '营业时间', text: '我们的柜台周一至周六营业，上午 9 时至下午 6 时。', language: 'cn_zh' },
] as const

/** Creates saved answers, two answered threads, and one in which a company is waiting. */
export async function writeMessages({ deps, trx }: Stage): Promise<void> {
  const manager = staffCaller('accounts@waybill.example', null)
  for (const answer of savedAnswers) await saveAnswer(deps, manager, answer)

  const write = async (key: string, threadId: string, text: string) => {
    const account = demoAccounts.find((each) => each.key === key)
    if (!account) return
    const content = { text, attachmentIds: [] }
    await appendMessage(deps, createCaller(account, account.owner), threadId, content, withoutKey)
  }
  const answer = (threadId: string, text: string) =>
    appendMessage(deps, manager, threadId, { text, attachmentIds: [] }, withoutKey)
  const findMoving = async (key: string) => {
    const account = demoAccounts.find((each) => each.key === key)
    const row = await trx
      .selectFrom('parcels')
      .select('id')
      .where('account_id', '=', account?.id ?? '')
      .where('status', 'in', ['inbound', 'sorting', 'outbound'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.id
  }
  const own = await findMoving('aisyah')
  if (own) {
    await write('aisyah', own, 'Hello, will this arrive before the weekend? It is a birthday present.')
    await answer(own, 'Hello Aisyah, it is on its way. Its page shows the expected day, and it is on time.')
    await write('aisyah', own, 'Wonderful, thank you!')
    await answer(own, 'You are welcome.')
  }
  const parcelOfCompany = await findMoving('kinabalu')
  if (parcelOfCompany)
    await write('kinabalu', parcelOfCompany, 'The receiver has moved. Can the rider call before he comes?')
}

/** The mail server has refused a mail for good. IT finds it under failed work and in the log. */
export async function failMail({ deps, trx }: Stage): Promise<void> {
  const vars = { name: 'Dayang Norasyikin' }
  await addJob(trx, 'mail:send', { to: 'dayang@kinabalu.example', template: 'password_changed', locale: 'en', vars })
  // As the queue marks a job after its last attempt: it adds the delay until the next one.
  await sql`
    update graphile_worker._private_jobs
    set created_at = now() - interval '3 days', run_at = now() + exp(10) * interval '1 second',
      attempts = max_attempts,
      last_error = 'password_changed: 550 5.1.1 <***@kinabalu.example>: there is no such mailbox'
    where id = (select max(id) from graphile_worker._private_jobs)`.execute(trx)
  await notifyFailedWork(deps)
}
