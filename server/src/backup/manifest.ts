/** The contents of a backup, and its manifest. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hmacSha256 } from '../lib/crypto.ts'

/** `base`: the cluster's files, for the embedded PostgreSQL. `dump`: made by pg_dump, for any server. */
export type BackupKind = 'base' | 'dump'

export type Manifest = {
  kind: BackupKind
  createdAt: string
  postgresMajor: number
  /** The newest migration of the database. A release without this migration cannot read the backup. */
  schema: string
  /** Verifies that SECRET_KEY is the key that encrypted the data, without revealing the key. */
  secretKeyPrint: string
}

/** The file names in a backup's folder. */
export const parts = {
  manifest: 'backup.json',
  base: 'cluster.tar.gz',
  dump: 'database.dump',
  /** The password of the cluster's superuser, stored next to the cluster. */
  password: 'postgres-password',
  files: 'files',
  secretKey: 'secret-key',
} as const

export const secretKeyPrint = (secretKey: string): string =>
  hmacSha256(Buffer.from(secretKey), 'waybill backup').toString('hex').slice(0, 16)

/** @throws Error with one sentence if the folder is not a backup, or an unfinished one. */
export function readManifest(folder: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(folder, parts.manifest), 'utf8')) as Manifest
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      code === 'ENOENT'
        ? `${folder} is not a backup: it has no ${parts.manifest}, which is written last.`
        : `${join(folder, parts.manifest)} can not be read (${code ?? (error as Error).message}).`,
    )
  }
}
