import { beforeAll, describe, expect, it } from 'vitest'
import { notifyStuckParcels } from '../../../src/domains/parcels/scanning/jobs.ts'
import { dayIn, days, hours, later } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer } from '../../testing/factories/accounts.ts'
import { createParcel } from '../../testing/factories/parcels.ts'

describe('parcels without a scan', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })
  const ago = (milliseconds: number) => later(test.clock.now(), -milliseconds)
  const toDay = (date: Date) => dayIn(date, 'Asia/Kuala_Lumpur')
  const round = async () => {
    await notifyStuckParcels(test.deps)
    await test.settle()
  }
  const mailsTo = (email: string) => test.mailbox.mails().filter(({ to }) => to.includes(email))

  it('are reported to the sender in one email, once, in the sender’s language', async () => {
    const siti = await createCustomer(test)
    const wei = await createCustomer(test, { language: 'cn_zh' })
    const silent = [
      await createParcel(test, siti, { status: 'outbound', last_event_at: ago(hours(37)) }),
      await createParcel(test, siti, { status: 'delivering', last_event_at: ago(hours(90)) }),
    ]
    const heard = await createParcel(test, siti, { status: 'outbound', last_event_at: ago(hours(35)) })
    const late = await createParcel(test, siti, {
      status: 'sorting',
      last_event_at: ago(hours(2)),
      expected_date: toDay(ago(days(1))),
    })
    const own = await createParcel(test, wei, { status: 'inbound', last_event_at: ago(hours(40)) })
    await round()
    const [stuck, tardy, ...more] = mailsTo(siti.email).sort((a, b) => b.subject.localeCompare(a.subject))
    expect(more).toEqual([])
    expect(stuck?.subject).toContain('36 hours: 2 parcels')
    expect(tardy?.subject).toContain(late.tracking_number)
    for (const { tracking_number } of silent) expect(stuck?.text).toContain(tracking_number)
    expect(stuck?.text).not.toContain(heard.tracking_number)
    expect(stuck?.text).toContain('/parcels?tab=moving')
    expect(tardy?.text).toContain(late.tracking_number)
    expect(tardy?.text).toContain(`/parcels/${late.id}`)
    expect(mailsTo(wei.email)).toHaveLength(1)
    expect(mailsTo(wei.email)[0]?.subject).toContain(`包裹 ${own.tracking_number} 已超过 36 小时`)
    await round()
    expect(mailsTo(siti.email)).toHaveLength(2)
    expect(mailsTo(wei.email)).toHaveLength(1)
  })

  it('include only parcels on their way to the receiver', async () => {
    const account = await createCustomer(test)
    const long = ago(days(9))
    const last = { last_event_at: long, expected_date: toDay(long) }
    for (const status of ['pending', 'incart', 'pending_pickup', 'fail-to-deliver', 'completed', 'cancel'] as const)
      await createParcel(test, account, { status, ...last })
    // A parcel that waits for collection at its station is not stuck.
    await createParcel(test, account, { status: 'inbound', ...last, collect_until: toDay(later(long, days(20))) })
    await createParcel(test, account, {
      status: 'outbound',
      last_event_at: ago(hours(1)),
      expected_date: toDay(ago(0)),
    })
    await round()
    expect(mailsTo(account.email)).toEqual([])
  })
})
