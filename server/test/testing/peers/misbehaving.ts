import { onTestFinished, vi } from 'vitest'
import { type PeerAnswer, type PeerHandler, type PeerRequest, servePeer } from '../../../src/demo/peers/peer.ts'
import { afterUse } from '../after-use.ts'

/**
 * The ways a carrier can fail: unreachable, never responding, disconnecting after it has executed the request, or any
 * other response.
 */
export type Fault = 'down' | 'slow' | 'drop_after' | Exclude<PeerAnswer, string>

export type FaultyPeer = {
  url: string
  /** The fault from now on; null if the carrier works. */
  fault: Fault | null
  /** Limits the fault to requests whose path contains this; null for all. */
  faultAt: string | null
  /** Limits the fault to requests that contain this in their query or body; null for all. */
  faultFor: string | null
  requests: PeerRequest[]
}

/** A simulated carrier with faults that a test can set and clear. Stopped with its test or its file. */
export async function startFaultyPeer(handler: (url: string) => PeerHandler): Promise<FaultyPeer> {
  let handle: PeerHandler | null = null
  const server = await servePeer((request) => {
    peer.requests.push(request)
    const isAbout = peer.faultFor === null || `${request.query} ${request.body}`.includes(peer.faultFor)
    const broken = peer.fault !== null && (peer.faultAt === null || request.path.includes(peer.faultAt)) && isAbout
    if (!broken || peer.fault === null) return handle?.(request) ?? 'silence'
    if (peer.fault === 'down') return 'silence'
    if (peer.fault === 'slow') return 'never'
    if (peer.fault === 'drop_after') {
      handle?.(request)
      return 'silence'
    }
    return peer.fault
  })
  const peer: FaultyPeer = { url: server.url, fault: null, faultAt: null, faultFor: null, requests: [] }
  handle = handler(server.url)
  afterUse(() => server.stop())
  return peer
}

/**
 * Shortens the carrier time-out until the end of the test, for carriers that never respond. Other tests keep the long
 * time-out for busy machines.
 */
export function withoutPatience(most = 60): void {
  const limit = AbortSignal.timeout.bind(AbortSignal)
  const impatient = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => limit(Math.min(ms, most)))
  onTestFinished(() => impatient.mockRestore())
}
