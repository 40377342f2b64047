import { SimulatedYunda } from '../../../src/demo/peers/yunda/simulated-yunda.ts'
import { type FaultyPeer, startFaultyPeer } from './misbehaving.ts'

/** Yunda's open platform. A parcel has only the events that a test adds. */
export type YundaPeer = FaultyPeer & { yunda: SimulatedYunda; environment: Record<string, string> }

export async function startYundaPeer(now: () => Date): Promise<YundaPeer> {
  let yunda: SimulatedYunda | undefined
  const peer = await startFaultyPeer((url) => {
    const simulated = new SimulatedYunda(url, { now, pace: null })
    yunda = simulated
    return (request) => simulated.handle(request)
  })
  const simulated = yunda as SimulatedYunda
  return Object.assign(peer, {
    yunda: simulated,
    environment: {
      YUNDA_URL: simulated.access.baseUrl,
      YUNDA_APP_KEY: simulated.access.appKey,
      YUNDA_APP_SECRET: simulated.access.appSecret,
      YUNDA_PARTNER_ID: simulated.access.partnerId,
      YUNDA_PARTNER_SECRET: simulated.access.partnerSecret,
    },
  })
}
