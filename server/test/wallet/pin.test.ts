import {
  changePin,
  changePinVerify,
  exportWalletHistory,
  forgetPin,
  forgetPinVerify,
  getWallet,
  sendOtp,
  setPin,
  verifyOtp,
  verifyPin,
  walletHistory,
} from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { runWrites } from '../../src/db/writes.ts'
import { postWrites } from '../../src/domains/wallet/ledger/service.ts'
import type { PinCheck } from '../../src/domains/wallet/queries.ts'
import { withPin as withRightPin } from '../../src/domains/wallet/service.ts'
import { minutes } from '../../src/lib/clock.ts'
import { sha256 } from '../../src/lib/crypto.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createMember, type TestCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { payCredits, placeOrder } from '../testing/factories/orders.ts'
import { fundWallet, setWalletPin, testPin } from '../testing/factories/wallet.ts'

describe('the PIN of a wallet', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  /** The newest code that was emailed to a customer. */
  const mailedCode = async (customer: TestCustomer) => {
    await test.settle()
    const mail = await test.mailbox.waitFor(({ to, text }) => to.includes(customer.email) && /\b\d{6}\b/.test(text))
    return /\b\d{6}\b/.exec(mail.text)?.[0] ?? ''
  }
  const withPin = async () => {
    const customer = await createCustomer(test)
    await setWalletPin(test, customer)
    return customer
  }
  const tryPin = (customer: TestCustomer, pin: string) => test.call(verifyPin, { token: customer.token, body: { pin } })
  const wallet = async (customer: TestCustomer) => (await test.call(getWallet, { token: customer.token })).body

  it('is set with the ticket of an emailed code, once', async () => {
    const customer = await createCustomer(test)
    const { token } = customer
    expect(await wallet(customer)).toEqual({ balanceMinor: 0, currency: 'MYR', pinSet: false, lockedUntil: null })
    expect((await tryPin(customer, testPin)).error.code).toBe('pin_not_set')

    const request = await test.call(sendOtp, { token, body: { purpose: 'wallet_pin_set' } })
    expect(request.status).toBe(200)
    const otp = await mailedCode(customer)
    const ticketAnswer = await test.call(verifyOtp, { token, body: { purpose: 'wallet_pin_set', otp } })
    expect(ticketAnswer.status).toBe(200)
    const again = await test.call(verifyOtp, { token, body: { purpose: 'wallet_pin_set', otp } })
    expect(again.error.code).toBe('code_used')

    const { ticket } = ticketAnswer.body
    const weak = await test.call(setPin, { token, body: { pin: '123456', ticket } })
    expect(weak.error).toMatchObject({ code: 'pin_weak', errors: [{ field: 'pin' }] })
    expect((await test.call(setPin, { token, body: { pin: testPin, ticket } })).status).toBe(200)
    const twice = await test.call(setPin, { token, body: { pin: '918274', ticket } })
    expect(twice.error).toMatchObject({ code: 'code_used', errors: [{ field: 'ticket' }] })
    expect((await tryPin(customer, testPin)).status).toBe(200)
    expect((await wallet(customer)).pinSet).toBe(true)
    const noSecond = await test.call(sendOtp, { token, body: { purpose: 'wallet_pin_set' } })
    expect(noSecond.status).toBe(409)
  })

  it("rejects another user's ticket", async () => {
    const [owner, thief] = [await createCustomer(test), await createCustomer(test)]
    await test.call(sendOtp, { token: owner.token, body: { purpose: 'wallet_pin_set' } })
    const otp = await mailedCode(owner)
    const ticketAnswer = await test.call(verifyOtp, { token: owner.token, body: { purpose: 'wallet_pin_set', otp } })
    const foreignAnswer = await test.call(setPin, {
      token: thief.token,
      body: { pin: testPin, ticket: ticketAnswer.body.ticket },
    })
    expect(foreignAnswer.error.code).toBe('link_invalid')
    const foreign = await test.call(verifyOtp, { token: thief.token, body: { purpose: 'wallet_pin_set', otp } })
    expect(foreign.error).toMatchObject({ code: 'code_wrong', errors: [{ field: 'otp' }] })
  })

  it('requires a code of at most five minutes, which is invalid after five wrong attempts', async () => {
    const customer = await createCustomer(test)
    const { token } = customer
    const take = (otp: string) => test.call(verifyOtp, { token, body: { purpose: 'wallet_pin_set', otp } })
    await test.call(sendOtp, { token, body: { purpose: 'wallet_pin_set' } })
    const otp = await mailedCode(customer)
    const wrong = otp === '111111' ? '222222' : '111111'
    for (let n = 0; n < 4; n += 1) expect((await take(wrong)).error.code).toBe('code_wrong')
    expect((await take(wrong)).error.code).toBe('code_void')
    expect((await take(otp)).error.code).toBe('code_void')

    const late = await createCustomer(test)
    await test.call(sendOtp, { token: late.token, body: { purpose: 'wallet_pin_set' } })
    const old = await mailedCode(late)
    test.clock.advance(minutes(5) + 1000)
    const answer = await test.call(verifyOtp, { token: late.token, body: { purpose: 'wallet_pin_set', otp: old } })
    // The access token is just as old, but it only expires after ten minutes.
    expect(answer.error.code).toBe('code_expired')
  })

  it('is locked for 15 minutes by the fifth wrong attempt in a row, and the owner is notified', async () => {
    const customer = await withPin()
    for (const attemptsLeft of [4, 3, 2, 1]) {
      expect((await tryPin(customer, '305817')).error).toMatchObject({ code: 'pin_wrong', details: { attemptsLeft } })
    }
    const fifth = await tryPin(customer, '305817')
    expect(fifth.status).toBe(429)
    expect(fifth.error.code).toBe('pin_locked')
    expect(Number(fifth.headers['retry-after'])).toBe(900)
    // The correct PIN is now refused, too. Otherwise, guessing could continue.
    expect((await tryPin(customer, testPin)).error.code).toBe('pin_locked')
    expect((await wallet(customer)).lockedUntil).not.toBeNull()
    await test.settle()
    const mail = await test.mailbox.waitFor(({ to }) => to.includes(customer.email))
    expect(mail.subject).toContain('locked')

    await sql`update wallet_pins set locked_until = ${test.clock.now()}
      where account_id = ${customer.accountId}::uuid`.execute(test.deps.db)
    expect((await wallet(customer)).lockedUntil).toBeNull()
    expect((await tryPin(customer, '305817')).error).toMatchObject({ code: 'pin_wrong', details: { attemptsLeft: 4 } })
    expect((await tryPin(customer, testPin)).status).toBe(200)
    expect((await tryPin(customer, '305817')).error).toMatchObject({ details: { attemptsLeft: 4 } })
  })

  it('counts every wrong attempt of concurrent requests', async () => {
    const customer = await withPin()
    const guesses = Array.from({ length: 30 }, (_, n) => String(305_000 + n * 7))
    const answers = await Promise.all(guesses.map((pin) => tryPin(customer, pin)))
    const wrong = answers.filter(({ error }) => error.code === 'pin_wrong')
    expect(wrong.length).toBe(4)
    expect(answers.filter(({ error }) => error.code === 'pin_locked').length).toBe(26)
    expect((await tryPin(customer, testPin)).error.code).toBe('pin_locked')
  })

  it('is protected against concurrent guesses: the correct PIN after forty wrong ones is refused', async () => {
    const [payer, verifier] = [await withPin(), await withPin()]
    await fundWallet(test, payer)
    const order = await placeOrder(test, payer)
    const guesses = Array.from({ length: 40 }, (_, n) => String(305_000 + n * 7))
    const pay = (pin: string) => payCredits(test, payer, order, { pin })
    const payments = await Promise.all([...guesses, testPin].map(pay))
    expect(payments.at(-1)?.error.code).toBe('pin_locked')
    expect((await wallet(payer)).balanceMinor).toBe(100_000)
    const verified = await Promise.all([...guesses, testPin].map((pin) => tryPin(verifier, pin)))
    expect(verified.at(-1)?.error.code).toBe('pin_locked')
  })

  it('accepts the correct PIN in many concurrent requests, even after a wrong one', async () => {
    const customer = await withPin()
    expect((await tryPin(customer, '305817')).error.code).toBe('pin_wrong')
    const answers = await Promise.all(Array.from({ length: 4 }, () => tryPin(customer, testPin)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  it('is rejected if a wrong attempt is counted between the check and the entry', async () => {
    const customer = await withPin()
    const durations: number[] = []
    const work = async (proof: PinCheck) => {
      durations.push(durations.length)
      // A concurrent call enters a wrong PIN while this payment runs, the first time only.
      if (durations.length === 1) expect((await tryPin(customer, '305817')).error.code).toBe('pin_wrong')
      await test.deps.db.transaction().execute(async (trx) => {
        const amounts = [
          { book: 'gateway_clearing' as const, amountMinor: -500 },
          { book: 'customer_wallet' as const, accountId: customer.accountId, amountMinor: 500 },
        ]
        const { accountId } = customer
        const entry = { kind: 'topup' as const, accountId, actorId: null, log: null, currency: 'MYR' }
        await runWrites(trx, await postWrites(test.deps, trx, { ...entry, postings: amounts }, proof))
      })
    }
    await withRightPin(test.deps, customer.accountId, testPin, work)
    expect(durations).toEqual([0, 1])
    expect((await wallet(customer)).balanceMinor).toBe(500)
  })

  it('is not revealed by any table, neither by its row nor by the idempotency key of a request with it', async () => {
    const customer = await withPin()
    await fundWallet(test, customer)
    const order = await placeOrder(test, customer)
    expect((await payCredits(test, customer, order, { headers: { 'idempotency-key': 'table-reader-1' } })).status).toBe(
      200,
    )
    const row = await test.deps.db
      .selectFrom('idempotency_keys')
      .select('request_hash')
      .where('key', '=', 'table-reader-1')
      .executeTakeFirstOrThrow()
    // The attack of someone with a copy of the tables: all million PINs.
    const body = { pin: testPin, expectedTotalMinor: order.totalMinor }
    for (const text of [JSON.stringify([{ id: order.id }, body]), JSON.stringify(body), testPin]) {
      expect(row.request_hash).not.toBe(sha256(text).toString('base64url'))
    }
    const tables = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`.execute(test.deps.db)
    for (const { name } of tables.rows) {
      const matches =
        await sql`select 1 from ${sql.raw(name)} t where t::text ~ ${`(^|[^0-9a-f.])${testPin}([^0-9a-f]|$)`}`.execute(
          test.deps.db,
        )
      expect(matches.rows, name).toEqual([])
    }
  })

  it('counts wrong PINs of repeated calls, too, so that a known key does not allow guessing', async () => {
    const customer = await withPin()
    await fundWallet(test, customer)
    const order = await placeOrder(test, customer)
    const headers = { 'idempotency-key': 'known-key-1' }
    const pay = (pin: string) => payCredits(test, customer, order, { headers, pin })
    const first = await pay(testPin)
    expect((await pay(testPin)).body).toEqual(first.body)
    for (const attemptsLeft of [4, 3, 2, 1])
      expect((await pay('305817')).error).toMatchObject({ code: 'pin_wrong', details: { attemptsLeft } })
    expect((await pay('305817')).error.code).toBe('pin_locked')
    expect((await pay(testPin)).error.code).toBe('pin_locked')
  })

  it('limits the codes and attempts of a user over several hours, for all steps together', async () => {
    const customer = await withPin()
    const { token } = customer
    const forget = () => test.call(forgetPin, { token })
    const change = () => test.call(changePin, { token, body: { pin: testPin } })
    for (const ask of [forget, change, forget, change]) expect((await ask()).status).toBe(200)
    for (const ask of [forget, change]) expect((await ask()).error.code).toBe('too_many_requests')
    test.clock.advance(minutes(1))
    expect((await forget()).status).toBe(200)
    const waits = await forget()
    expect(Number(waits.headers['retry-after'])).toBeGreaterThan(60)

    // These attempts cannot find a correct code: each is one of a million.
    const otp = await mailedCode(customer)
    const wrong = otp === '111111' ? '222222' : '111111'
    const take = () => test.call(forgetPinVerify, { token, body: { otp: wrong, pin: '918274' } })
    const takeChange = () => test.call(changePinVerify, { token, body: { otp: wrong, pin: '918274' } })
    const codes: (string | undefined)[] = []
    for (let n = 0; n < 6; n += 1) codes.push((await take()).error.code, (await takeChange()).error.code)
    expect(codes.slice(0, 10).every((code) => code?.startsWith('code_'))).toBe(true)
    expect(codes.slice(10)).toEqual(['too_many_requests', 'too_many_requests'])
  })

  it('of a company is replaced only by its owner, who receives an email at every change', async () => {
    const owner = await createCustomer(test, { userType: 'corporate', name: 'Datin Owner' })
    const of = { userType: 'corporate' as const, accountId: owner.accountId, isOwner: false, name: 'Siti Clerk' }
    const member = await createCustomer(test, { ...of, permissions: ['wallet', 'pay'] })
    await test.call(sendOtp, { token: member.token, body: { purpose: 'wallet_pin_set' } })
    const ticketAnswer = await test.call(verifyOtp, {
      token: member.token,
      body: { purpose: 'wallet_pin_set', otp: await mailedCode(member) },
    })
    await test.call(setPin, { token: member.token, body: { pin: testPin, ticket: ticketAnswer.body.ticket } })
    const mails = async () => {
      await test.settle()
      return test.mailbox.mails().filter(({ to, subject }) => to.includes(owner.email) && subject.includes('changed'))
    }
    expect((await mails()).map(({ text }) => text.includes('Siti Clerk'))).toEqual([true])

    const refusals = await Promise.all([
      test.call(changePin, { token: member.token, body: { pin: testPin } }),
      test.call(changePinVerify, { token: member.token, body: { otp: '123456', pin: '918274' } }),
      test.call(forgetPin, { token: member.token }),
      test.call(forgetPinVerify, { token: member.token, body: { otp: '123456', pin: '918274' } }),
    ])
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect((await test.call(forgetPin, { token: owner.token })).status).toBe(200)
    await test.settle()
    const code = await test.mailbox.waitFor(({ to, text }) => to.includes(owner.email) && /\b\d{6}\b/.test(text))
    const otp = /\b\d{6}\b/.exec(code.text)?.[0] ?? ''
    const replaced = await test.call(forgetPinVerify, { token: owner.token, body: { otp, pin: '918274' } })
    expect(replaced.status).toBe(200)
    expect(await mails()).toHaveLength(2)
  })

  it('is changed with the old PIN and then an emailed code', async () => {
    const customer = await withPin()
    const { token } = customer
    expect((await test.call(changePin, { token, body: { pin: '305817' } })).error.code).toBe('pin_wrong')
    expect((await test.call(changePin, { token, body: { pin: testPin } })).status).toBe(200)
    const otp = await mailedCode(customer)
    // A code for a change is not valid for a forgotten PIN.
    const other = await test.call(forgetPinVerify, { token, body: { otp, pin: '918274' } })
    expect(other.error.code).toBe('code_wrong')
    expect((await test.call(changePinVerify, { token, body: { otp, pin: '918274' } })).status).toBe(200)
    expect((await tryPin(customer, testPin)).error.code).toBe('pin_wrong')
    expect((await tryPin(customer, '918274')).status).toBe(200)
  })

  it('can be reset if it is forgotten, which removes a lock', async () => {
    const customer = await withPin()
    const { token } = customer
    for (let n = 0; n < 5; n += 1) await tryPin(customer, '305817')
    await test.settle()
    await test.mailbox.waitFor(({ to }) => to.includes(customer.email))
    expect((await test.call(forgetPin, { token, body: undefined })).status).toBe(200)
    const otp = await mailedCode(customer)
    const weak = await test.call(forgetPinVerify, { token, body: { otp, pin: '777777' } })
    expect(weak.error.code).toBe('pin_weak')
    expect((await test.call(forgetPinVerify, { token, body: { otp, pin: '918274' } })).status).toBe(200)
    expect((await tryPin(customer, '918274')).status).toBe(200)
  })

  it('is not available to a member without the permission, and invalid input names the field', async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    const member = await createMember(test, owner)
    expect((await test.call(getWallet, { token: member.token })).status).toBe(403)
    expect((await test.call(getWallet)).status).toBe(401)
    for (const pin of ['12345', '1234567', 'abcdef', '１２３４５６', '']) {
      const answer = await tryPin(owner, pin)
      expect(answer.status).toBe(422)
      expect(answer.error.errors?.[0]?.field).toBe('pin')
    }
  })

  it('shows movements newest first with the running balance', async () => {
    const customer = await createCustomer(test)
    const { token } = customer
    await fundWallet(test, customer, 500)
    await fundWallet(test, customer, 250)
    const { body } = await test.call(walletHistory, { token })
    expect(body.total).toBe(2)
    expect(body.items.map(({ amountMinor, balanceAfterMinor }) => [amountMinor, balanceAfterMinor])).toEqual([
      [250, 750],
      [500, 500],
    ])
    const page = await test.call(walletHistory, { token, query: { sort: '+at', limit: 1, offset: 1 } })
    expect(page.body.items.map(({ amountMinor }) => amountMinor)).toEqual([250])
    expect((await test.call(walletHistory, { token, query: { kind: 'refund' } })).body.total).toBe(0)
    expect((await test.call(walletHistory, { token, query: { to: '2020-01-01' } })).body.total).toBe(0)
    const getLines = async (query: { to?: string } = {}) =>
      (await test.call(exportWalletHistory, { token, query: { ...query, format: 'csv' } })).raw
        .toString()
        .trim()
        .split('\n')
    // A heading, then every movement.
    expect(await getLines()).toHaveLength(1 + body.total)
    expect(await getLines({ to: '2020-01-01' })).toHaveLength(1)
    const other = await createCustomer(test)
    expect((await test.call(walletHistory, { token: other.token })).body.total).toBe(0)
  })
})
