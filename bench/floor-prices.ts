/**
 * The baseline of P4: a bare Fastify handler that accepts the same request and returns the same JSON from memory.
 * Argument: a file with the response.
 */
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

const [file = ''] = process.argv.slice(2)
const answer = JSON.parse(readFileSync(file, 'utf8')) as unknown
const app = Fastify()
app.post('/', async () => answer)
console.log(`floor is ready: ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
process.on('SIGTERM', () => void app.close())
