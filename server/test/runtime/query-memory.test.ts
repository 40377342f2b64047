import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'

it('the rows of queries do not stay in memory until the whole heap is collected', async () => {
  const { url } = await createTestDatabase()
  // Only young objects are collected, so garbage that has become old is counted.
  const flags = ['--expose-gc', '--max-semi-space-size=4', '--heap-growing-percent=1000', '--max-old-space-size=1000']
  const script = join(import.meta.dirname, '../testing/query-loop.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, url])
  const bytes = JSON.parse(stdout) as { query: number; transaction: number }
  expect(bytes.query).toBeLessThan(2_000)
  expect(bytes.transaction).toBeLessThan(2_000)
})
