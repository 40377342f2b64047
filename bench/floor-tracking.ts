/**
 * The baseline of P1: a bare Fastify handler with one prepared, indexed SELECT on the same database. Arguments:
 * connection string, tracking number.
 */
import Fastify from 'fastify'
import pg from 'pg'

const [url = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 20 })
const app = Fastify()
app.get<{ Querystring: { no: string } }>('/', async (request) => {
  const result = await pool.query({
    name: 'floor',
    text:
      'select tracking_number, status, service_type, delivery_mode, expected_date from parcels where ' +
      'tracking_number = $1',
    values: [request.query.no],
  })
  return result.rows[0]
})
console.log(`floor is ready: ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
process.on('SIGTERM', () => void app.close().then(() => pool.end()))
