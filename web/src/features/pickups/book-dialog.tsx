import { Checkbox, NativeSelect } from '@mantine/core'
import type { Party } from '@waybill/contract/addresses/addresses'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { isSamePlace } from '@waybill/contract/pickups/pickup-choice'
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
import { changedByCheckout } from '../parcels/shared/changed-by-checkout.ts'
import { PickupTimeForm } from './pickup-time-form.tsx'

type Waiting = ResponseOf<typeof waitingParcels>['items'][number]
type AtDoor = { address: Party; items: Waiting[] }

/** The parcels by door: a rider visits one address, and fetches parcels to send and returns separately. */
function groupByDoor(parcels: readonly Waiting[]): AtDoor[] {
  const groups: AtDoor[] = []
  for (const parcel of parcels) {
    const address = parcel.fetchedFrom
    if (!address) continue
    const group = groups.find((one) => one.items[0]?.status === parcel.status && isSamePlace(one.address, address))
    if (group) group.items.push(parcel)
    else groups.push({ address, items: [parcel] })
  }
  return groups
}

/** Books a pickup for paid parcels that have none. */
export function BookDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const waiting = useCall(waitingParcels, {})
  const [excludedIds, setExcludedIds] = useState<ReadonlySet<string>>(new Set())
  const callOnce = useCallOnce()
  const [doorIndex, setDoorIndex] = useState(0)
  const groups = groupByDoor(waiting.data?.items ?? [])
  const { address, items = [] } = groups[doorIndex] ?? groups[0] ?? {}
  const selection = items.filter(({ id }) => !excludedIds.has(id))
  const describeDoor = ({ address: { line1, postcode, city }, items: [first, ...others] }: AtDoor) => {
    const place = `${line1}, ${postcode} ${city}`
    const count = t('pickupsPage.parcelCount', { count: others.length + 1 })
    const detail = first?.status === 'reverse_pickup' ? `${t('pickupsPage.isReturn')} · ${count}` : count
    return t('phrase.detail', { text: place, detail })
  }
  return (
    <Dialog title={t('pickupsPage.bookTitle')} shape="wide" onClose={onClose}>
      {waiting.error ? (
        <ErrorPanel error={waiting.error} retry={() => void waiting.refetch()} />
      ) : !address ? (
        <Loading />
      ) : (
        <Stack gap={20}>
          {groups.length > 1 && (
            <NativeSelect
              label={t('pickupsPage.door')}
              description={t('pickupsPage.doorHelp')}
              data={groups.map((group, n) => ({ value: String(n), label: describeDoor(group) }))}
              value={doorIndex}
              onChange={(event) => setDoorIndex(Number(event.currentTarget.value))}
            />
          )}
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
            key={doorIndex}
            address={address}
            slot={null}
            action={t('pickupsPage.book')}
            onCancel={onClose}
            onSave={(choice) => callOnce(bookPickup, { body: { ...choice, parcelIds: selection.map(({ id }) => id) } })}
            sending={{
              refresh: [...changedByCheckout, listPickupRequests, getPickupRequest, waitingParcels],
              success: ({ number }) => t('pickupsPage.booked', { number }),
              onSuccess: onClose,
            }}
          />
        </Stack>
      )}
    </Dialog>
  )
}
