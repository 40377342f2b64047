/**
 * The proxy of P9: forwards each connection to the next server, without inspecting it. Arguments: the addresses of the
 * servers.
 */
import net from 'node:net'

const targets = process.argv.slice(2).map((address) => new URL(address))
let turn = 0
const proxy = net.createServer((near) => {
  const target = targets[turn++ % targets.length]
  const far = net.connect({ host: target?.hostname ?? '', port: Number(target?.port) })
  near.pipe(far).pipe(near)
  near.on('error', () => far.destroy())
  far.on('error', () => near.destroy())
})
proxy.listen(0, '127.0.0.1', () => {
  const address = proxy.address()
  console.log(`proxy is ready: http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})
process.on('SIGTERM', () => process.exit(0))
