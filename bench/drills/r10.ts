/**
 * R10, the long run of server/test/payments/durability.test.ts: each call that moves money is sent twice at once with
 * one key, while log writes are slow, readers run, and PostgreSQL is killed. Nothing acknowledged or shown may be
 * lost.
 *
 * node bench/drills/r10.ts [rounds]
 */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

const rounds = Number(process.argv[2] ?? 30)
const root = resolve(import.meta.dirname, '../..')
const test = ['run', '--maxWorkers=1', 'test/payments/durability.test.ts']
const { status } = spawnSync(resolve(root, 'node_modules/.bin/vitest'), test, {
  cwd: resolve(root, 'server'),
  env: { ...process.env, DURABILITY_ROUNDS: String(rounds) },
  stdio: 'inherit',
})
console.log(status === 0 ? `R10 holds: ${rounds} kills.` : 'R10 DOES NOT HOLD.')
process.exitCode = status ?? 1
