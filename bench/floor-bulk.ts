/**
 * The baseline of P5: reads an .xlsx with only the library and COPYs its cells into a bare table. Prints the seconds
 * of the second run.
 */
import { readFileSync } from 'node:fs'
import { streamXlsxRows } from 'hucre'
import pg from 'pg'

const [, , url = '', path = ''] = process.argv
const client = new pg.Client({ connectionString: url })
await client.connect()
await client.query('create unlogged table if not exists bench_cells (row_number int, cells text)')

/** COPY over pg's simple protocol, without a library, with the whole text at once. */
async function copy(text: string): Promise<void> {
  const connection = (
    client as unknown as { connection: { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void } }
  ).connection
  await new Promise<void>((resolve, reject) => {
    const query = {
      submit(on: { query(text: string): void }) {
        on.query('copy bench_cells from stdin')
      },
      handleCopyInResponse() {
        connection.sendCopyFromChunk(Buffer.from(text))
        connection.endCopyFrom()
      },
      handleCommandComplete() {},
      handleRowDescription() {},
      handleDataRow() {},
      handlePortalSuspended() {},
      handleEmptyQuery() {},
      handleCopyData() {},
      handleReadyForQuery: () => resolve(),
      handleError: (error: Error) => reject(error),
    }
    client.query(query as never)
  })
}

async function once(): Promise<number> {
  const begin = performance.now()
  const lines: string[] = []
  for await (const { index, values } of streamXlsxRows(readFileSync(path))) {
    lines.push(`${index}\t${JSON.stringify(values).replaceAll('\\', '\\\\')}`)
  }
  await copy(`${lines.join('\n')}\n`)
  return (performance.now() - begin) / 1000
}

await once()
process.stdout.write(String(await once()))
await client.end()
