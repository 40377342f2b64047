/**
 * The second individual floor of P3, P12 and P13: a bare Fastify handler that sends the recorded statements of a
 * request to PostgreSQL and does nothing else: no session, validation, rules or response. Argument: the connection
 * string. `PUT /` sets what each client's requests send; `POST /<client>` does the next one.
 */
import Fastify from 'fastify'
import { createPool } from '../server/src/db/pool.ts'
import type { SentStatement } from './own-floor.ts'

const [url = ''] = process.argv.slice(2)
// The same connections, prepared statements and message groups as the server's.
const pool = createPool(url, { max: 20, name: 'waybill floor' })
const app = Fastify({ bodyLimit: 1_000_000_000 })
let clients: SentStatement[][][] = []

app.put<{ Body: SentStatement[][][] }>('/', async ({ body }) => {
  clients = body
  return {}
})

app.post<{ Params: { client: string } }>('/:client', async ({ params }) => {
  const statements = clients[Number(params.client)]?.shift()
  if (!statements) throw new Error('no request is left')
  const connection = await pool.connect()
  try {
    for (const { text, values } of statements)
      await (values.length === 0 ? connection.query(text) : connection.query(text, values))
  } finally {
    connection.release()
  }
  return { id: params.client }
})

console.log(`floor is ready: ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
process.on('SIGTERM', () => void app.close().then(() => pool.end()))
