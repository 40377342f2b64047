/**
 * Makes a physical copy of a running cluster over PostgreSQL's replication protocol, as pg_basebackup does; the
 * embedded package does not include that program. https://www.postgresql.org/docs/18/protocol-replication.html
 */

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'

/** The first byte of each copy message gives its type. */
const dataMessage = 'd'.charCodeAt(0)
const newArchiveMessage = 'n'.charCodeAt(0)

/** BASE_BACKUP sends tar archives; pg's own query class discards copy data. */
class BaseBackup extends pg.Query {
  readonly #onMessage: (message: Buffer) => void

  constructor(text: string, onMessage: (message: Buffer) => void) {
    super(text)
    this.#onMessage = onMessage
  }

  // Called by pg for each message of the copy.
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#onMessage(chunk)
  }
}

/**
 * Writes the whole cluster at `url` to `file` (tar, gzip), with the log that it needs to start. Users can keep
 * working. PostgreSQL verifies the checksum of every page.
 * @throws Error when the copy is incomplete for any reason; the file is then useless.
 */
export async function writeBaseBackup(url: string, file: string): Promise<void> {
  const socket = new Socket()
  const replication = new URL(url)
  replication.searchParams.set('replication', 'true')
  const client = new pg.Client({
    connectionString: replication.href,
    application_name: 'waybill backup',
    stream: () => socket,
  })
  // A transfer in progress reports its errors through its promise.
  client.on('error', () => undefined)
  await client.connect()
  try {
    // Retains the write-ahead log that the copy needs until this session ends.
    await client.query(`CREATE_REPLICATION_SLOT "waybill_backup_${process.pid}" TEMPORARY PHYSICAL RESERVE_WAL`)
    const tar = new PassThrough()
    tar.on('drain', () => socket.resume())
    const archive = pipeline(tar, createGzip({ level: 1 }), createWriteStream(file, { mode: 0o600, flush: true }))
    let archives = 0
    const backup = new BaseBackup(
      "BASE_BACKUP (LABEL 'waybill', CHECKPOINT 'fast', WAL true, WAIT false, MANIFEST 'no')",
      (message) => {
        if (message[0] === newArchiveMessage) archives += 1
        // pg owns the message's buffer and reuses it.
        if (message[0] !== dataMessage) return
        if (!tar.write(Buffer.from(message.subarray(1)))) socket.pause()
      },
    )
    // A full disk aborts the copy, too.
    archive.catch(() => socket.destroy())
    const end = once(backup, 'end').then(() => tar.end())
    client.query(backup)
    await Promise.all([archive, end])
    if (archives !== 1)
      throw new Error(`The cluster has ${archives - 1} tablespaces of its own, which a backup can not hold.`)
  } finally {
    socket.destroy()
  }
}
