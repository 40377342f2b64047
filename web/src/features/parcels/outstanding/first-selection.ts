import type { OutstandingItem } from '@waybill/contract/parcels/outstanding'

/** Items that are paid together share one checkbox: a store order with all its parcels, or one parcel's difference. */
export type Due = { key: string; items: OutstandingItem[]; amountMinor: number }

/**
 * The keys that are not selected at first. Opened from a parcel, only that one is selected; the user can add others.
 * Otherwise everything but differences that the sender disputes, whose result may be that nothing is due.
 */
export function listFirstExcluded(dues: readonly Due[], parcelId: string | undefined): ReadonlySet<string> {
  const has = (due: Due, test: (item: OutstandingItem) => boolean) => due.items.some(test)
  const target = dues.find((due) => has(due, (item) => item.parcelId === parcelId))
  const excluded = dues.filter((due) =>
    target ? due !== target : has(due, ({ weighingState }) => weighingState === 'contested'),
  )
  return new Set(excluded.map(({ key }) => key))
}
