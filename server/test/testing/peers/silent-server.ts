import { createServer, type Socket } from 'node:net'

export type SilentServer = {
  port: number
  /** The number of connections so far. */
  calls(): number
  /** The number of connections that are open now. */
  open(): number
  /** Closes all open connections, so that no caller waits for its time-out, and accepts no more. */
  stop(): Promise<void>
}

/** A server that accepts every connection and never responds. */
export async function startSilentServer(): Promise<SilentServer> {
  const open = new Set<Socket>()
  let calls = 0
  const server = createServer((socket) => {
    calls += 1
    open.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    calls: () => calls,
    open: () => open.size,
    stop() {
      const closed = new Promise<void>((done) => server.close(() => done()))
      for (const socket of open) socket.destroy()
      return closed
    },
  }
}
