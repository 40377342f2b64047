import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const domains = join(import.meta.dirname, '../../src/domains')

// With a direct account condition, the plan for an average account reads all its rows: 4 s for 100,000 parcels.
const accountAndIds = /\baccount_id = \$\{[^}]+\}::uuid\s+and \(?(?:\w+\.)?id = any\(/

test('queries that find rows by id compare the account through belongsTo', () => {
  const files = readdirSync(domains, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(100)
  expect(accountAndIds.test('where p.account_id = $' + '{accountId}::uuid\n  and p.id = any(')).toBe(true)
  expect(files.filter((name) => accountAndIds.test(readFileSync(join(domains, name), 'utf8')))).toEqual([])
})
