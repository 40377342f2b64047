/** Inspects an uploaded ZIP without trusting it: sizes are counted while inflating, not read from its headers. */
import { createInflateRaw } from 'node:zlib'
import { SheetError } from './error.ts'

export type ZipEntry = { name: string; method: number; compressed: number; start: number; flags: number }

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50

/** These values mean that the real one is in a ZIP64 record. */
const zip64Count = 0xffff
const zip64Size = 0xffffffff

/** A spreadsheet has a few dozen parts. */
const maxEntries = 2_000

/**
 * The central directory. Throws SheetError broken for anything but a ZIP, encrypted for a locked one. The checks here
 * must match what the library reads later, so everything ambiguous is refused: ZIP64, duplicate names, and sizes
 * outside the directory.
 */
export function zipEntries(bytes: Buffer): ZipEntry[] {
  const broken = () => new SheetError('broken')
  let end = -1
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - 65_557); at--) {
    if (bytes.readUInt32LE(at) === endSignature) {
      end = at
      break
    }
  }
  if (end < 0) throw broken()
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  if (count === zip64Count || bytes.readUInt32LE(end + 12) === zip64Size || at === zip64Size) throw broken()
  if (count > maxEntries) throw new SheetError('too_large')
  const entries: ZipEntry[] = []
  const names = new Set<string>()
  for (let n = 0; n < count; n++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entrySignature) throw broken()
    const flags = bytes.readUInt16LE(at + 8)
    if (flags & 1) throw new SheetError('encrypted')
    const local = bytes.readUInt32LE(at + 42)
    const nameLength = bytes.readUInt16LE(at + 28)
    if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== localSignature) throw broken()
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const compressed = bytes.readUInt32LE(at + 20)
    if (start + compressed > bytes.length) throw broken()
    // With this flag the sizes may follow the content, where the library would read them.
    if (flags & 8 && compressed === 0) throw broken()
    if (bytes.readUInt32LE(at + 24) === zip64Size) throw broken()
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
    if (names.has(name)) throw broken()
    names.add(name)
    entries.push({ name, method: bytes.readUInt16LE(at + 10), compressed, start, flags })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

/** The bytes of an entry, piece by piece. Throws SheetError broken if they cannot be inflated. */
export async function* inflateEntry(bytes: Buffer, entry: ZipEntry): AsyncGenerator<Buffer> {
  const body = bytes.subarray(entry.start, entry.start + entry.compressed)
  if (entry.method === 0) {
    yield body
    return
  }
  if (entry.method !== 8) throw new SheetError('broken')
  const inflate = createInflateRaw({ chunkSize: 65_536 })
  inflate.end(body)
  try {
    for await (const piece of inflate) yield piece as Buffer
  } catch (error) {
    throw error instanceof SheetError ? error : new SheetError('broken')
  } finally {
    inflate.destroy()
  }
}
