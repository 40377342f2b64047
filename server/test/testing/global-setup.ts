/** Runs once per test run: starts a PostgreSQL server with a migrated database, which each test file copies. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/db/migrate.ts'
import { findContradictions } from '../logs/logged-calls.ts'
import { startTemporaryPostgres, withDatabase } from './temporary-postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Connection string of a database from which others may be created. */
    adminDatabaseUrl: string
    /** Name of the migrated, empty database that serves as the template. */
    templateDatabase: string
  }
}

/**
 * Uses the server of TEST_DATABASE_URL, whose user must be allowed to create databases. Without it, starts an embedded
 * server and removes it at the end.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env.TEST_DATABASE_URL
  const embedded = url ? undefined : await startTemporaryPostgres((line) => console.log(line))
  const adminUrl = url ?? embedded?.url ?? ''
  const template = `waybill_template_${process.pid}`
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${template}`)
  await migrate(withDatabase(adminUrl, template))
  project.provide('adminDatabaseUrl', adminUrl)
  project.provide('templateDatabase', template)
  return async () => {
    if (!embedded) await admin.query(`DROP DATABASE ${template} WITH (FORCE)`)
    await admin.end()
    await embedded?.stop()
    await checkLoggedCalls(project)
  }
}

/**
 * Compares the calls of a complete run with the tables of `logged-calls.ts`. A run of some files, or one with failed
 * tests, has not made all calls.
 */
async function checkLoggedCalls({ vitest }: TestProject): Promise<void> {
  const file = process.env.WATCHED_CALLS ?? ''
  if (!existsSync(file)) return
  const calls = new Set(readFileSync(file, 'utf8').split('\n'))
  rmSync(file)
  const isWhole = vitest.state.getPaths().length === (await vitest.globTestSpecifications()).length
  if (!isWhole || vitest.config.testNamePattern || vitest.state.getCountOfFailedTests() > 0) return
  const contradictions = findContradictions(calls)
  if (contradictions.length === 0) return
  console.error(`The activity log and its tables differ:\n${contradictions.join('\n')}`)
  process.exitCode = 1
}
