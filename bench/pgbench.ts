/** The floor of all writes: TPC-B-like transactions of pgbench on the same PostgreSQL. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchDatabase } from './database.ts'
import type { Work } from './measure.ts'
import { runAndRead } from './processes.ts'

const clients = 16
const seconds = 6

/** Creates the floor's database. Null, with a message, if pgbench is not installed. */
export async function preparePgbench(database: BenchDatabase, figure: string): Promise<Work | null> {
  const pgbench = findPgbench()
  if (!pgbench) {
    console.log(`  ${figure} is left out: pgbench is not installed (Debian: apt-get install postgresql-contrib)`)
    return null
  }
  const url = new URL(database.url)
  url.pathname = '/bench_floor'
  await database.query('drop database if exists bench_floor')
  await database.query('create database bench_floor')
  await runAndRead(pgbench, ['-i', '-q', '-s', String(clients), url.href])
  return (round) => runFloor(pgbench, url.href, round < 0 ? 2 : seconds)
}

/** The path of pgbench; null if it is not installed. */
export function findPgbench(): string | null {
  const folders = (process.env.PATH ?? '').split(':')
  const debian = '/usr/lib/postgresql'
  if (existsSync(debian)) for (const version of readdirSync(debian)) folders.push(join(debian, version, 'bin'))
  return folders.map((folder) => join(folder, 'pgbench')).find((path) => existsSync(path)) ?? null
}

/** TPC-B-like transactions per second, with `synchronous_commit` on. */
async function runFloor(pgbench: string, url: string, duration: number): Promise<number> {
  const args = ['-c', String(clients), '-j', '2', '-M', 'prepared', '-T', String(duration), '-n', url]
  const output = await runAndRead(pgbench, args)
  const rate = /tps = ([\d.]+)/.exec(output)?.[1]
  if (!rate) throw new Error(`pgbench reported no rate:\n${output}`)
  return Number(rate)
}
