import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'

const root = resolve(import.meta.dirname, '../../..')

test('the committed query types match the migrated schema (otherwise: npm run db:types)', async () => {
  const { url } = await createTestDatabase()
  const args = [join(root, 'scripts', 'db-types.mjs'), '--url', url, '--verify']
  const result = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(result.stdout + result.stderr).toContain('up-to-date')
  expect(result.status).toBe(0)
})
