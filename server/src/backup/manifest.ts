/** What a backup consists of. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hmacSha256 } from '../lib/crypto.ts'

/** `base`: the cluster as it lies on the disk, for the embedded PostgreSQL. `dump`: by pg_dump, for any server. */
export type BackupKind = 'base' | 'dump'

export type Manifest = {
  kind: BackupKind
  createdAt: string
  postgresMajor: number
  /** The newest migration of the database: a release that lacks it can not read the backup. */
  schema: string
  /** Verifies that SECRET_KEY is the key that encrypted the data, without revealing the key. */
  secretKeyPrint: string
}

/** The names in the folder of a backup. */
export const parts = {
  manifest: 'backup.json',
  base: 'cluster.tar.gz',
  dump: 'database.dump',
  /** The password of the cluster's superuser, which lies beside the cluster. */
  password: 'postgres-password',
  files: 'files',
  secretKey: 'secret-key',
} as const

export const secretKeyPrint = (secretKey: string): string =>
  hmacSha256(Buffer.from(secretKey), 'waybill backup').toString('hex').slice(0, 16)

/** @throws Error with one sentence when the folder is no backup, or an unfinished one. */
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
