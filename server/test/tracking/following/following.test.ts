import type { ScanEvent } from '@waybill/contract/parcels/scanning'
import { confirmFollowing, endFollowing, followParcel, getFollowing } from '@waybill/contract/tracking/following'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { recallAbandoned } from '../../../src/domains/parcels/failed-delivery/jobs.ts'
import { makeTrackingNumber } from '../../../src/domains/parcels/tracking-number.ts'
import { mailFollowers } from '../../../src/domains/tracking/following/jobs.ts'
import { sweepFollows } from '../../../src/domains/tracking/following/service.ts'
import { days, hours, later } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel } from '../../testing/factories/parcels.ts'

const signed = { recipientName: 'Siti', signaturePath: 'M10,20 L30,40' }
let people = 0
const newEmail = () => `visitor${++people}@example.test`

describe('following a parcel by email', () => {
  let test: TestApp
  let customer: TestCustomer
  let counter: TestStaff
  let there: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    customer = await createCustomer(test)
    const stations = await findCounter(test)
    counter = stations.counter
    there = stations.there
    test.clock.freeze()
  })

  const sorting = () => createParcel(test, customer, { status: 'sorting' })
  const requestFollow = (number: string | null, email: string, language?: string) =>
    test.call(followParcel, { body: { number: number ?? '', email }, language })
  const mailsTo = (email: string) => test.mailbox.mails().filter(({ to }) => to.includes(email))
  /** The token of the link in the newest email to an address. */
  const readToken = (email: string) => {
    const [mail] = mailsTo(email)
    return decodeURIComponent(/\/public\/following\/([^\s?]+)/.exec(mail?.text ?? '')?.[1] ?? '')
  }
  async function follow(number: string | null, email: string, language?: string): Promise<string> {
    expect((await requestFollow(number, email, language)).status).toBe(200)
    await test.settle()
    const token = readToken(email)
    expect((await test.call(confirmFollowing, { params: { token } })).status).toBe(200)
    return token
  }
  async function scans(number: string | null, events: readonly ScanEvent[]): Promise<void> {
    for (const event of events)
      await scanned(test, counter, number ?? '', event, {
        ...(event === 'delivered' ? signed : {}),
        ...(event === 'departed' ? { nextStationId: there } : {}),
        ...(event === 'attempt_failed' ? { failureReason: 'not_home' } : {}),
      })
    await test.settle()
  }
  const waitingJobs = async (parcelId: string) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count
      from graphile_worker._private_jobs
      where key = ${`tracking:mail-followers ${parcelId}`}`.execute(test.deps.db)
    return rows[0]?.count
  }
  async function sendMails(parcelId: string): Promise<void> {
    await mailFollowers(test.deps, { parcelId })
    await test.settle()
  }

  it('sends nothing before the visitor confirms the first email, then all new events in one email', async () => {
    const { id, tracking_number: number } = await sorting()
    const email = newEmail()
    expect((await requestFollow(number, email)).body).toEqual({ ok: true })
    await test.settle()
    expect(mailsTo(email).map(({ subject }) => subject)).toEqual([`Confirm: get updates on parcel ${number}`])
    const token = readToken(email)
    // Mail programs open links in advance, so opening the link confirms nothing.
    const opened = await test.call(getFollowing, { params: { token } })
    expect(opened.body).toEqual({ trackingNumber: number, confirmed: false })
    await scans(number, ['departed'])
    expect(await waitingJobs(id)).toBe(0)

    await test.call(confirmFollowing, { params: { token } })
    expect((await test.call(getFollowing, { params: { token } })).body.confirmed).toBe(true)
    await scans(number, ['arrived', 'out_for_delivery'])
    expect(await waitingJobs(id)).toBe(1)
    await sendMails(id)
    const [mail, ...others] = mailsTo(email)
    expect(others).toHaveLength(1)
    expect(mail?.subject).toBe(`${number}: Out for delivery`)
    expect(mail?.text).toContain('Arrived at the station')
    expect(mail?.text).not.toContain('Sent to the next station')
    for (const hidden of ['Ahmad', 'Lebuh', customer.email, '98765432']) expect(mail?.html).not.toContain(hidden)
    // Another run finds no new event.
    await sendMails(id)
    expect(mailsTo(email)).toHaveLength(2)
  })

  it('says that a parcel is on its way back, not that its sender recalled it, if nobody chose in time', async () => {
    const longAgo = later(test.clock.now(), -days(30))
    const { id, tracking_number: number } = await createParcel(test, customer, {
      status: 'fail-to-deliver',
      last_event_at: longAgo,
    })
    const emails = { en: newEmail(), zh: newEmail() }
    for (const [language, email] of Object.entries(emails)) await follow(number, email, language)
    await recallAbandoned(test.deps)
    await test.settle()
    await sendMails(id)
    expect(mailsTo(emails.en)[0]?.subject).toBe(`${number}: On its way back`)
    expect(mailsTo(emails.zh)[0]?.subject).toContain('退回途中')
  })

  it('has a failed attempt as its subject, not the status that the parcel has after it', async () => {
    const { id, tracking_number: number } = await sorting()
    const emails = { en: newEmail(), zh: newEmail() }
    for (const [language, email] of Object.entries(emails)) await follow(number, email, language)
    await scans(number, ['out_for_delivery', 'attempt_failed'])
    await sendMails(id)
    expect(mailsTo(emails.en)[0]?.subject).toBe(`${number}: Delivery attempt failed`)
    expect(mailsTo(emails.zh)[0]?.subject).toBe(`${number}：本次派送未成功`)
  })

  it('ends with a one-click POST by the mail program, but not when the program prefetches the link', async () => {
    const { id, tracking_number: number } = await sorting()
    const email = newEmail()
    const token = await follow(number, email, 'zh')
    await scans(number, ['out_for_delivery'])
    await sendMails(id)
    const [mail] = mailsTo(email)
    expect(mail?.text).toContain('正在派送')
    expect(mail?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const url = new URL(/^<(.+)>$/.exec(mail?.headers.get('list-unsubscribe') ?? '')?.[1] ?? '')
    const fetched = await test.app.inject({ url: url.pathname })
    expect([fetched.statusCode, fetched.headers.location]).toEqual([
      303,
      `http://portal.test/public/following/${encodeURIComponent(token)}`,
    ])
    expect((await test.call(getFollowing, { params: { token } })).body.confirmed).toBe(true)
    const oneClick = () =>
      test.app.inject({
        method: 'POST',
        url: url.pathname,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      })
    expect((await oneClick()).statusCode).toBe(200)
    // A second click gets the same response.
    expect((await oneClick()).statusCode).toBe(200)
    expect((await test.call(getFollowing, { params: { token } })).error.code).toBe('link_invalid')
    await scans(number, ['delivered'])
    await sendMails(id)
    expect(mailsTo(email)).toHaveLength(2)
  })

  it('limits requests for one parcel and from one IP address', async () => {
    const { tracking_number: number } = await sorting()
    const from = (remoteAddress: string, no: string | null, n: number) =>
      test.app.inject({
        method: 'POST',
        url: followParcel.path,
        remoteAddress,
        payload: { number: no, email: `many${n}@example.test` },
      })
    const answers = await Promise.all(Array.from({ length: 33 }, (_, n) => from(`10.1.0.${n}`, number, n)))
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(3)
    const others = await Promise.all(Array.from({ length: 4 }, sorting))
    const codes: number[] = []
    for (let n = 0; n < 32; n++) {
      // A separate limit applies per minute.
      if (n === 15) await sql`delete from rate_limits where key like 'POST %'`.execute(test.deps.db)
      codes.push((await from('10.2.0.1', others[n % 4]?.tracking_number ?? '', 100 + n)).statusCode)
    }
    expect(codes.filter((code) => code === 429)).toHaveLength(2)
  })

  it('deletes the address after the last email about a finished parcel', async () => {
    const { id, tracking_number: number } = await sorting()
    const email = newEmail()
    await follow(number, email)
    await scans(number, ['out_for_delivery', 'delivered'])
    await sendMails(id)
    const [mail] = mailsTo(email)
    expect(mail?.subject).toBe(`${number}: Delivered`)
    expect(mail?.text).toContain('Your address is no longer stored for such updates.')
    const { rows } = await sql`select 1 from tracking_follows where parcel_id = ${id}::uuid`.execute(test.deps.db)
    expect(rows).toHaveLength(0)
    expect((await requestFollow(number, email)).error.code).toBe('follow_over')
  })

  it('cannot be confirmed once the parcel has arrived, and the address is deleted', async () => {
    const { id, tracking_number: number } = await sorting()
    const [early, late] = [newEmail(), newEmail()]
    const token = await follow(number, early)
    await requestFollow(number, late)
    await scans(number, ['out_for_delivery', 'delivered'])
    const confirm = (each: string) => test.call(confirmFollowing, { params: { token: each } })
    expect((await confirm(readToken(late))).error.code).toBe('follow_over')
    const { rows } = await sql`select email from tracking_follows where parcel_id = ${id}::uuid`.execute(test.deps.db)
    expect(rows).toEqual([{ email: early }])
    // A repeated confirmation does not prevent the last mail.
    expect((await confirm(token)).body.confirmed).toBe(true)
    await sendMails(id)
    expect(mailsTo(early)[0]?.subject).toBe(`${number}: Delivered`)
  })

  it('returns the same response for addresses that follow, are unknown, or have reached the email limit', async () => {
    const { tracking_number: number } = await sorting()
    const email = newEmail()
    await follow(number, email)
    const answers = []
    for (let n = 0; n < 6; n++) answers.push(await requestFollow(number, email))
    answers.push(await requestFollow(number, newEmail()))
    expect(new Set(answers.map(({ status, raw }) => `${status} ${raw.toString()}`)).size).toBe(1)
    await test.settle()
    // An address gets at most three emails an hour, regardless of the number of requests.
    expect(mailsTo(email).map(({ subject }) => subject)).toEqual([
      `You already follow parcel ${number}`,
      `You already follow parcel ${number}`,
      `Confirm: get updates on parcel ${number}`,
    ])
    const { rows } = await sql`select 1 from tracking_follows where email = ${email}`.execute(test.deps.db)
    expect(rows).toHaveLength(1)
    test.clock.advance(hours(1) + 1000)
    await requestFollow(number, email)
    await test.settle()
    expect(mailsTo(email)).toHaveLength(4)
  })

  it('deletes unconfirmed entries after a day, and refuses their links, forged links and bad requests', async () => {
    const { tracking_number: number } = await sorting()
    const email = newEmail()
    await requestFollow(number, email)
    await test.settle()
    const token = readToken(email)
    const [id = '', mac = ''] = token.split('.')
    for (const forged of [
      id,
      `${id}.`,
      `${id}.${mac.slice(1)}`,
      `${id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}.${mac}`,
      'x',
    ]) {
      for (const endpoint of [getFollowing, confirmFollowing, endFollowing])
        expect((await test.call(endpoint, { params: { token: forged } })).error.code).toBe('link_invalid')
    }
    const bad: [string, string, string | undefined][] = [
      ['', email, 'validation'],
      [number ?? '', 'no address', 'validation'],
      [makeTrackingNumber('WB', 5_432_109_876), email, 'parcel_unknown'],
      ['nonsense', email, 'parcel_unknown'],
    ]
    for (const [no, to, code] of bad) expect((await requestFollow(no, to)).error.code).toBe(code)
    test.clock.advance(days(1) + 1000)
    expect((await test.call(confirmFollowing, { params: { token } })).error.code).toBe('link_invalid')
    await sweepFollows(test.deps)
    const { rows } = await sql`select 1 from tracking_follows where email = ${email}`.execute(test.deps.db)
    expect(rows).toHaveLength(0)
  })
})
