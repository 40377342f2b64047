// Replicas that must not answer, several at a time. `replicas.test.ts` tests a usable one.
import { expect, it } from 'vitest'
import { readFromReplicas } from '../../src/db/replicas/read-scope.ts'
import { findUnfitness } from '../../src/db/replicas/replica.ts'
import { openReplicas } from '../../src/db/replicas/routing.ts'
import { afterUse } from '../testing/after-use.ts'
import { createTestDatabase } from '../testing/database.ts'

const now = new Date('2026-11-26T04:00:00Z')
const primary = { position: 100, timeline: 1, systemId: '7001', now }
const probe = { position: 100, timeline: 1, system_id: '7001', now }
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

it.each([
  ['is the primary itself', { position: null }, 'it is not a standby'],
  ['belongs to another database', { system_id: '7002' }, 'it is a copy of another database'],
  ['follows another timeline', { timeline: 2 }, 'it is on timeline 2, not 1'],
  ['has a clock that is fast', { now: later(9) }, 'its clock differs by 9 s'],
  ['has a clock that is slow', { now: later(-9) }, 'its clock differs by 9 s'],
])('a replica that %s is not used', (_, changes, problem) => {
  expect(findUnfitness({ ...probe, ...changes }, primary, 5)).toBe(problem)
})

it('a replica is used whose clock differs by less than the time that the question took', () => {
  expect(findUnfitness(probe, primary, 5)).toBeUndefined()
  expect(findUnfitness({ ...probe, now: later(1) }, primary, 5)).toBeUndefined()
  expect(findUnfitness({ ...probe, now: later(3) }, primary, 1_500)).toBeUndefined()
})

it('several replicas that cannot answer leave the reads to the primary, and each says why', async () => {
  const { url, pool } = await createTestDatabase()
  const reasons: unknown[] = []
  const problems: string[] = []
  const replicas = openReplicas(url, [url, 'postgres://nobody@127.0.0.1:9/none'], {
    max: 2,
    observe: (reason) => reasons.push(reason),
    log: (line) => problems.push(line),
  })
  afterUse(() => replicas.stop())
  await expect.poll(() => replicas.all.map(({ state }) => state), { timeout: 10_000 }).toEqual(['unfit', 'down'])
  const routed = replicas.route(pool)
  const answer = await readFromReplicas(() => routed.query<{ one: number }>('select 1 as one', []))
  expect(answer.rows).toEqual([{ one: 1 }])
  expect(reasons).toEqual(['none_usable'])
  expect(problems.join('\n')).toContain('it is not a standby')
})
