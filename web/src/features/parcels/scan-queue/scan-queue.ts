import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { type ScanResult, scan } from '@waybill/contract/parcels/scanning'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { notify } from '../../../components/feedback/notify.tsx'
import { call } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n.ts'
import { indexedStore } from '../../../lib/send-queue/queue-store.ts'
import { type Entry, SendQueue, type Snapshot } from '../../../lib/send-queue/send-queue.ts'
import { sessionStore } from '../../../lib/session.ts'
import { serverNow } from '../../../lib/time/server-clock.ts'

export type ScanBody = BodyIn<typeof scan>
export type ScanEntry = Entry<ScanBody, ScanResult>

type Listener = (entry: ScanEntry) => void
const listeners = new Set<Listener>()
const tabs = new BroadcastChannel('scan-queue')

/** The scans of the signed-in user, on any page of the staff area (decision 0050). */
const queue = new SendQueue<ScanBody, ScanResult>({
  store: indexedStore(),
  owner: () => sessionStore.getState().auth.user?.id ?? null,
  send: (body, idempotencyKey, signal) => call(scan, { body, idempotencyKey, signal }),
  // Details of the recipient (name, identification, signature) are dropped after the response.
  keep: ({ trackingNumber, event, stationId, scannedAt }) => ({
    trackingNumber,
    event,
    ...(stationId ? { stationId } : {}),
    ...(scannedAt ? { scannedAt } : {}),
  }),
  onSettled(entry) {
    for (const listener of listeners) listener(entry)
    // The scans are not visible, so the open page notifies the user. The focus is left alone, because scanning may
    // continue.
    if (listeners.size === 0 && entry.state === 'failed') notify.info(t('scanPage.failedElsewhere'))
  },
  // Web Locks need a secure origin. Without them two tabs may send the same scan, which the server counts once.
  exclusively: (work) => (navigator.locks ? navigator.locks.request('scan-queue', work) : work()),
  announce: () => tabs.postMessage(null),
})

tabs.onmessage = () => void queue.reload()
window.addEventListener('online', () => queue.resume())
sessionStore.subscribe(() => void queue.open())
void queue.open()

/** Queues a scan. It is sent as soon as possible, with the server's time: the clock of a device may be days wrong. */
export function addScan(body: ScanBody): void {
  queue.add(body.trackingNumber, { ...body, scannedAt: new Date(serverNow()).toISOString() })
}

/** Sends a refused scan again, with changed details if needed. */
export function retryScan(entry: ScanEntry, change: Partial<ScanBody> = {}): void {
  queue.retry(entry.id, change)
}

/** Removes decided scans. */
export function removeScans(entries: readonly ScanEntry[]): void {
  queue.remove(entries.map(({ id }) => id))
}

/** Retries scans that wait for a connection. */
export function sendScansNow(): void {
  queue.resume()
}

export function useScanQueue(): Snapshot<ScanBody, ScanResult> {
  return useSyncExternalStore(queue.subscribe, queue.snapshot)
}

/** Runs the callback for each scan that is recorded or refused. */
export function useSettledScans(listener: Listener): void {
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => {
    const listen: Listener = (entry) => latest.current(entry)
    listeners.add(listen)
    return () => {
      listeners.delete(listen)
    }
  }, [])
}
