import { SimulatedDhl } from '../../../src/demo/peers/dhl/simulated-dhl.ts'
import { type FaultyPeer, startFaultyPeer } from './misbehaving.ts'

/** DHL Express with the MyDHL API. A parcel has only the events that a test adds. */
export type DhlExpressPeer = FaultyPeer & {
  dhl: SimulatedDhl
  /** Environment variables for the app. */
  environment: Record<string, string>
}

export async function startDhlExpressPeer(now: () => Date): Promise<DhlExpressPeer> {
  let dhl: SimulatedDhl | undefined
  const peer = await startFaultyPeer((url) => {
    const simulated = new SimulatedDhl(url, { now, pace: null })
    dhl = simulated
    return (request) => simulated.express(request)
  })
  const simulated = dhl as SimulatedDhl
  return Object.assign(peer, {
    dhl: simulated,
    environment: {
      DHL_EXPRESS_URL: simulated.access.baseUrl,
      DHL_EXPRESS_USERNAME: simulated.access.username,
      DHL_EXPRESS_PASSWORD: simulated.access.password,
      DHL_EXPRESS_ACCOUNT: simulated.access.account,
    },
  })
}
