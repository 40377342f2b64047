import { Checkbox } from '@mantine/core'
import { bookPickup, getPickupRequest, listPickupRequests, waitingParcels } from '@waybill/contract/pickups/pickups'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Loading } from '../../components/loading.tsx'
import { ErrorPanel } from '../../components/message-panel.tsx'
import { notify } from '../../components/notify.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCallOnce } from '../../lib/once.ts'
import { useCall, useChanged } from '../../lib/query.ts'
import { PickupTimeForm } from './pickup-time-form.tsx'
import classes from './pickups.module.css'

/** A pickup for paid parcels that have none. */
export function BookDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const changed = useChanged()
  const waiting = useCall(waitingParcels, {})
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const callOnce = useCallOnce()
  const all = waiting.data?.items ?? []
  // A rider comes to one door: what goes out and what comes back are booked one after the other.
  const items = all.filter(({ status }) => status === all[0]?.status)
  const chosen = items.filter(({ id }) => !left.has(id))
  const address = chosen.find(({ fetchedFrom }) => fetchedFrom !== null)?.fetchedFrom ?? items[0]?.fetchedFrom
  return (
    <Dialog title={t('pickupsPage.bookTitle')} shape="wide" onClose={onClose}>
      {waiting.error ? (
        <ErrorPanel error={waiting.error} retry={() => void waiting.refetch()} />
      ) : !address ? (
        <Loading />
      ) : (
        <div className={classes.form}>
          <ul className={classes.parcels}>
            {items.map((parcel) => (
              <li key={parcel.id}>
                <Checkbox
                  label={parcel.trackingNumber ? format.trackingNumber(parcel.trackingNumber) : parcel.id}
                  checked={!left.has(parcel.id)}
                  onChange={(event) => {
                    const next = new Set(left)
                    if (event.currentTarget.checked) next.delete(parcel.id)
                    else next.add(parcel.id)
                    setLeft(next)
                  }}
                />
                <span>
                  {parcel.receiverName}, {parcel.receiverCity}
                </span>
              </li>
            ))}
          </ul>
          <PickupTimeForm
            address={address}
            slot={null}
            action={t('pickupsPage.book')}
            onCancel={onClose}
            onSave={async (choice) => {
              const body = { ...choice, parcelIds: chosen.map(({ id }) => id) }
              const made = await callOnce(bookPickup, { body })
              notify.success(t('pickupsPage.booked', { number: made.number }))
              await changed(listPickupRequests, getPickupRequest, waitingParcels)
              onClose()
            }}
          />
        </div>
      )}
    </Dialog>
  )
}
