/**
 * R10: the same key is sent twice at once while writes of the log are slow, then PostgreSQL is killed. Everything that
 * was acknowledged or shown before must exist afterwards. `DURABILITY_ROUNDS` makes it longer (bench/drills/r10.ts).
 */
import { putSettings } from '@waybill/contract/settings/settings'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkBooks } from '../../src/domains/wallet/ledger/books.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { type CrashingPostgres, startCrashingPostgres } from '../testing/crashing-postgres.ts'
import { type DurabilityCase, durabilityCases } from '../testing/durability-cases.ts'
import { createStaff } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { type BankPeer, startBankPeer } from '../testing/peers/bank.ts'

const rounds = Number(process.env.DURABILITY_ROUNDS ?? 2)

type Proof = { of: DurabilityCase; how: string }

/** Sends every call twice and reads continuously. Kills once `enough` results were acknowledged or shown, or all. */
async function runUntilKilled(cases: readonly DurabilityCase[], enough: number, kill: () => void): Promise<Proof[]> {
  const proofs: Proof[] = []
  let killed = false
  const addProof = (proof: Proof) => {
    // A read that returns after the kill does not count as shown before it.
    if (killed && proof.how !== 'acknowledged') return
    proofs.push(proof)
    if (killed || proofs.length < enough) return
    killed = true
    kill()
  }
  const requests = cases.flatMap((of) =>
    [of.send(), of.send()].map((answer) =>
      answer.then(
        (answer) => answer === 'done' && addProof({ of, how: 'acknowledged' }),
        () => undefined,
      ),
    ),
  )
  const allRequests = Promise.all(requests)
  let finished = false
  void allRequests.then(() => {
    finished = true
  })
  const readers = cases.flatMap((of) =>
    of.readers.map(async (reader, n) => {
      while (!killed && !finished) {
        if (!(await reader().catch(() => false))) continue
        addProof({ of, how: `shown by reader ${n}` })
        return
      }
    }),
  )
  await Promise.all([allRequests, ...readers])
  // All requests were answered before the readers had shown enough: they must exist after a kill, too.
  if (!killed) kill()
  return proofs
}

/** Moves the deployment to a zone where it is about noon: a drawer takes no more payments after midnight. */
async function moveMidnightAway(test: TestApp): Promise<void> {
  const now = new Date()
  const timezone = Intl.supportedValuesOf('timeZone').find(
    (timeZone) => now.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit' }) === '12',
  )
  const { token } = await createStaff(test, { type: 'superadmin' })
  const answer = await test.call(putSettings, { token, body: { values: { timezone } } })
  expect(answer.status, JSON.stringify(answer.error)).toBe(200)
}

describe('a payment', () => {
  let bank: BankPeer
  let postgres: CrashingPostgres
  let test: TestApp
  beforeAll(async () => {
    bank = await startBankPeer()
    postgres = await startCrashingPostgres()
    test = await buildTestApp({ ...bank.environment, LOG_LEVEL: 'silent' }, { database: postgres.database })
    await seedTestNetwork(test)
    await moveMidnightAway(test)
  })

  it('is neither acknowledged nor shown before its commit is confirmed, even to a repeated key', async () => {
    const cases = await durabilityCases(test, bank)
    for (const { name, send, readers } of cases) {
      await test.deps.outbox.drain()
      await postgres.withhold()
      const answers: string[] = []
      const requests = [send(), send()].map((answer) => answer.then((outcome) => answers.push(outcome)))
      await expect.poll(async () => answers.length + (await postgres.unconfirmed()), { timeout: 20_000 }).not.toBe(0)
      for (const reader of readers) expect(await reader(), `${name} is shown`).toBe(false)
      expect(answers, `${name} is acknowledged`).toEqual([])
      await postgres.confirm()
      await Promise.all(requests)
      expect(answers, name).toEqual(['done', 'done'])
      for (const reader of readers) expect(await reader(), name).toBe(true)
    }
  }, 120_000)

  it(
    'is not lost when PostgreSQL is killed once it was acknowledged or shown',
    async () => {
      const names = new Set<string>()
      for (let round = 0; round < rounds; round += 1) {
        const cases = await durabilityCases(test, bank)
        await test.deps.outbox.drain()
        for (const { name, readers } of cases)
          for (const reader of readers) expect(await reader(), `${name} is not done yet`).toBe(false)
        await postgres.slowDown()
        // From one proof, because a result that is shown too early is shown first, to all that there can be.
        const proofs = await runUntilKilled(cases, 1 + (round % 13) * 6, postgres.kill)
        await postgres.back()
        expect(proofs.length, 'something was acknowledged or shown').toBeGreaterThan(0)
        for (const { of, how } of proofs) {
          names.add(of.name)
          for (const reader of of.readers) expect(await reader(), `${of.name}, ${how}`).toBe(true)
        }
        // After a repeat of all calls, each of them is done exactly once.
        for (const { name, send, readers } of cases) {
          expect(await send(), `${name} once more`).toBe('done')
          for (const reader of readers) expect(await reader(), name).toBe(true)
        }
        expect((await checkBooks(test.deps.db))?.problems).toEqual([])
      }
      if (rounds > 20) console.log(`seen before a kill: ${[...names].sort().join(', ')}`)
    },
    120_000 + rounds * 30_000,
  )
})
