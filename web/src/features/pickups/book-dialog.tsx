import { Checkbox } from '@mantine/core'
import { bookPickup, getPickupRequest, listPickupRequests, waitingParcels } from '@waybill/contract/pickups/pickups'
import { useState } from 'react'
import { Dialog } from '../../components/feedback/dialog.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { LineList, Stack } from '../../components/layout/boxes.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCallOnce } from '../../lib/once.ts'
import { useCall } from '../../lib/query.ts'
import { PickupTimeForm } from './pickup-time-form.tsx'

/** Books a pickup for paid parcels that have none. */
export function BookDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const waiting = useCall(waitingParcels, {})
  const [excludedIds, setExcludedIds] = useState<ReadonlySet<string>>(new Set())
  const callOnce = useCallOnce()
  const all = waiting.data?.items ?? []
  // One visit has one address: parcels to send and parcels to return are booked separately.
  const items = all.filter(({ status }) => status === all[0]?.status)
  const selection = items.filter(({ id }) => !excludedIds.has(id))
  const address = selection.find(({ fetchedFrom }) => fetchedFrom !== null)?.fetchedFrom ?? items[0]?.fetchedFrom
  return (
    <Dialog title={t('pickupsPage.bookTitle')} shape="wide" onClose={onClose}>
      {waiting.error ? (
        <ErrorPanel error={waiting.error} retry={() => void waiting.refetch()} />
      ) : !address ? (
        <Loading />
      ) : (
        <Stack gap={20}>
          <LineList>
            {items.map((parcel) => (
              <li key={parcel.id}>
                <Checkbox
                  label={parcel.trackingNumber ? format.trackingNumber(parcel.trackingNumber) : parcel.id}
                  checked={!excludedIds.has(parcel.id)}
                  onChange={(event) => {
                    const next = new Set(excludedIds)
                    if (event.currentTarget.checked) next.delete(parcel.id)
                    else next.add(parcel.id)
                    setExcludedIds(next)
                  }}
                />
                <span>
                  {parcel.receiverName}, {parcel.receiverCity}
                </span>
              </li>
            ))}
          </LineList>
          <PickupTimeForm
            address={address}
            slot={null}
            action={t('pickupsPage.book')}
            onCancel={onClose}
            onSave={(choice) => callOnce(bookPickup, { body: { ...choice, parcelIds: selection.map(({ id }) => id) } })}
            sending={{
              refresh: [listPickupRequests, getPickupRequest, waitingParcels],
              success: ({ number }) => t('pickupsPage.booked', { number }),
              onSuccess: onClose,
            }}
          />
        </Stack>
      )}
    </Dialog>
  )
}
