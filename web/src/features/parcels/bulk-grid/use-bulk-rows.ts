import type { BulkBatch } from '@waybill/contract/parcels/bulk'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { BulkRows, type Only } from './bulk-rows.ts'

/** `BulkRows` of a batch under a filter. The component renders again after every change of them. */
export function useBulkRows(batch: BulkBatch, only: Only): BulkRows {
  const [instance, setInstance] = useState(() => new BulkRows(batch, only))
  // Another filter starts with the latest counts.
  const rows = instance.only === only ? instance : new BulkRows(instance.batch, only)
  if (rows !== instance) setInstance(rows)
  useSyncExternalStore(rows.subscribe, rows.snapshot)
  useEffect(() => {
    rows.start()
    return () => rows.stop()
  }, [rows])
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (rows.unsaved) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [rows])
  return rows
}

/** Loads the pages of these rows, first to last, unless they are loaded. */
export function useNeededRows(rows: BulkRows, first: number, last: number): void {
  const { version } = rows
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version may miss visible pages
  useEffect(() => rows.need(first, last), [rows, version, first, last])
}
