import net from 'node:net'

/** A proxy between a server and its database, which a test can interrupt and restore. */
export type Wire = {
  /** The connection string of the database through this proxy. */
  url: string
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>
  mend(): Promise<void>
  /** Drops all data on the existing connections without closing them. New connections work. */
  freeze(): void
  stop(): Promise<void>
}

export async function startWire(databaseUrl: string): Promise<Wire> {
  const target = new URL(databaseUrl)
  const open = new Set<net.Socket>()
  const connect = () => net.connect({ host: target.hostname, port: Number(target.port || 5432) })

  const server = net.createServer((near) => {
    const far = connect()
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const cut = async () => {
    const closed = new Promise<void>((done) => server.close(() => done()))
    for (const socket of open) socket.destroy()
    await closed
  }

  const freeze = () => {
    for (const socket of open) {
      socket.unpipe()
      socket.pause()
    }
  }

  await listen(0)
  const { port } = server.address() as net.AddressInfo
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  url.searchParams.delete('host')
  return { url: url.href, cut, mend: () => listen(port), freeze, stop: cut }
}
