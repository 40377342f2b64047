import { onTestFinished, vi } from 'vitest'
import { type PeerAnswer, type PeerHandler, type PeerRequest, servePeer } from '../../../src/demo/peers/peer.ts'
import { afterFile } from '../after-file.ts'

/**
 * How a carrier may fail: not there, without an end, gone after it has done what it was asked, or with any other
 * answer.
 */
export type Fault = 'down' | 'slow' | 'drop_after' | Exclude<PeerAnswer, string>

export type FaultyPeer = {
  url: string
  /** From now on; null: it works. */
  fault: Fault | null
  /** Only requests whose path has this in it fail; null: all. */
  faultAt: string | null
  requests: PeerRequest[]
}

/** A simulated carrier that a test can break and mend; stopped after the file's last test. */
export async function startFaultyPeer(handler: (url: string) => PeerHandler): Promise<FaultyPeer> {
  let handle: PeerHandler | null = null
  const server = await servePeer((request) => {
    peer.requests.push(request)
    const broken = peer.fault !== null && (peer.faultAt === null || request.path.includes(peer.faultAt))
    if (!broken || peer.fault === null) return handle?.(request) ?? 'silence'
    if (peer.fault === 'down') return 'silence'
    if (peer.fault === 'slow') return 'never'
    if (peer.fault === 'drop_after') {
      handle?.(request)
      return 'silence'
    }
    return peer.fault
  })
  const peer: FaultyPeer = { url: server.url, fault: null, faultAt: null, requests: [] }
  handle = handler(server.url)
  afterFile(() => server.stop())
  return peer
}

/**
 * Shortens the carrier time-out until the end of the test, for carriers that never answer. Other tests keep the long
 * one for busy machines.
 */
export function withoutPatience(most = 60): void {
  const limit = AbortSignal.timeout.bind(AbortSignal)
  const impatient = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => limit(Math.min(ms, most)))
  onTestFinished(() => impatient.mockRestore())
}
