/**
 * Simulates the carriers that a demo has no credentials for, in this process and over the real protocols. Never in
 * production.
 */
import type { CarrierAccess, Config } from '../../config.ts'
import { SimulatedDhl } from './dhl/simulated-dhl.ts'
import { type PeerHandler, type PeerServer, servePeer } from './peer.ts'
import { SimulatedYunda } from './yunda/simulated-yunda.ts'

/** Minutes between two checkpoints of a demo parcel. */
const pace = 10

export type SimulatedCarriers = { access: CarrierAccess; stop(): Promise<void> }

/** Starts a simulated server for each carrier without credentials. Throws in production. */
export async function startSimulatedCarriers(config: Config): Promise<SimulatedCarriers> {
  if (config.env === 'production' || !config.demo) throw new Error('Carriers are simulated in the demo only.')
  const now = () => new Date()
  const servers: PeerServer[] = []
  const play = async <P extends { handle: PeerHandler }>(make: (url: string) => P): Promise<P> => {
    let peer: P | undefined
    const server = await servePeer((request) => (peer ? peer.handle(request) : 'silence'))
    servers.push(server)
    peer = make(server.url)
    return peer
  }
  const { dhl, yunda } = config.carriers
  return {
    access: {
      dhl: dhl ?? (await play((url) => new SimulatedDhl(url, { now, pace }))).access,
      yunda: yunda ?? (await play((url) => new SimulatedYunda(url, { now, pace }))).access,
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop()))
    },
  }
}
