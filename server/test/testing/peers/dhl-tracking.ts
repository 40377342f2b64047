import type { SimulatedDhl } from '../../../src/demo/peers/dhl/simulated-dhl.ts'
import { type FaultyPeer, startFaultyPeer } from './misbehaving.ts'

/** DHL Shipment Tracking – Unified, for the parcels of a MyDHL peer, on a separate server. */
export async function startDhlTrackingPeer(
  dhl: SimulatedDhl,
): Promise<FaultyPeer & { environment: Record<string, string> }> {
  const peer = await startFaultyPeer(() => (request) => dhl.unified(request))
  return Object.assign(peer, {
    environment: { DHL_TRACKING_URL: `${peer.url}/track`, DHL_TRACKING_KEY: dhl.access.tracking?.key ?? '' },
  })
}
