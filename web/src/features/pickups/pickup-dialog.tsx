import { Button } from '@mantine/core'
import { taskStatusLabels } from '@waybill/contract/ground/enums/enums'
import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { parcelStatusLooks, taskStatusLooks } from '@waybill/contract/ground/status/status-look'
import { pickupWindows } from '@waybill/contract/pickups/pickup-choice'
import {
  cancelPickup,
  getPickupRequest,
  listPickupRequests,
  type PickupDetail,
  reschedulePickup,
  waitingParcels,
} from '@waybill/contract/pickups/pickups'
import { useState } from 'react'
import { TextLink } from '../../components/buttons/link.tsx'
import { useLongDay } from '../../components/display/line-breaks.ts'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { formatWindow } from '../../components/display/time-window.ts'
import { Dialog, DialogFoot } from '../../components/feedback/dialog.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { LineList, Stack } from '../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { changedByCheckout } from '../parcels/shared/changed-by-checkout.ts'
import { AddressText, PickupTimeForm } from './pickup-time-form.tsx'
import classes from './pickups.module.css'

/** One pickup with its parcels and rider. Until a rider has started it can be rescheduled or cancelled. */
export function PickupDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useT()
  const pickup = useCall(getPickupRequest, { params: { id } })
  return (
    <Dialog title={pickup.data?.number ?? t('pickupsPage.title')} shape="wide" onClose={onClose}>
      {pickup.error ? (
        <ErrorPanel error={pickup.error} retry={() => void pickup.refetch()} />
      ) : pickup.data ? (
        <Detail pickup={pickup.data} onClose={onClose} />
      ) : (
        <Loading />
      )}
    </Dialog>
  )
}

const stale = [...changedByCheckout, listPickupRequests, getPickupRequest, waitingParcels]

function Detail({ pickup, onClose }: { pickup: PickupDetail; onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const longDay = useLongDay()
  const label = useLabel()
  const may = useSession((state) => state.auth.permissions.includes('parcels.create'))
  const [moving, setMoving] = useState(false)
  const cancel = useSend(() => call(cancelPickup, { params: { id: pickup.id }, body: { version: pickup.version } }), {
    confirm: {
      title: t('pickupsPage.cancel'),
      message: t('pickupsPage.cancelText'),
      action: t('pickupsPage.cancel'),
      keep: t('pickupsPage.keep'),
    },
    refresh: stale,
    success: t('pickupsPage.cancelledDone'),
    onSuccess: onClose,
  })
  const when = t('checkout.pickupWhen', { day: longDay(pickup.date), window: formatWindow(pickup.window) })
  if (moving) {
    const window = pickupWindows.find((each) => each === pickup.window) ?? pickupWindows[0]
    return (
      <PickupTimeForm
        address={pickup.address}
        slot={pickup.status === 'failed' ? null : { date: pickup.date, window }}
        action={t('pickupsPage.save')}
        onCancel={() => setMoving(false)}
        onSave={(choice) =>
          call(reschedulePickup, { params: { id: pickup.id }, body: { ...choice, version: pickup.version } })
        }
        sending={{
          refresh: stale,
          success: ({ date, window }) => t('pickupsPage.moved', { day: longDay(date), window: formatWindow(window) }),
          onSuccess: () => setMoving(false),
        }}
      />
    )
  }
  const facts: [string, string | null][] = [
    [t('pickupsPage.when'), when],
    [t('pickupsPage.station'), pickup.stationName],
    [t('pickupsPage.rider'), pickup.riderName],
    [
      t('pickupsPage.reason'),
      pickup.failureReason &&
        [t(`pickupFailure.${pickup.failureReason}`), pickup.failureNote].filter(Boolean).join(' · '),
    ],
  ]
  return (
    <Stack gap={20}>
      <div>
        {pickup.cancelledAt ? (
          <StatusPill look={{ tone: 'neutral', icon: 'cross' }} label={t('pickupsPage.cancelled')} />
        ) : (
          <StatusPill look={taskStatusLooks[pickup.status]} label={label(taskStatusLabels, pickup.status)} />
        )}
      </div>
      <Facts layout="tiles">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <Fact key={name} label={name}>
              {value}
            </Fact>
          ),
        )}
      </Facts>
      <Stack as="section" gap={8}>
        <h3>{t('pickupsPage.address')}</h3>
        <AddressText address={pickup.address} />
      </Stack>
      {pickup.parcels.length > 0 && (
        <Stack as="section" gap={8}>
          <h3>{t('pickupsPage.parcelsOf')}</h3>
          <LineList className={classes.parcels}>
            {pickup.parcels.map((parcel) => (
              <li key={parcel.id}>
                <TextLink to="/parcels/$id" params={{ id: parcel.id }}>
                  {parcel.trackingNumber ? format.trackingNumber(parcel.trackingNumber) : parcel.id}
                </TextLink>
                <span>
                  {parcel.receiverName}, {parcel.receiverCity}
                </span>
                <StatusPill look={parcelStatusLooks[parcel.status]} label={label(parcelStatusLabels, parcel.status)} />
              </li>
            ))}
          </LineList>
        </Stack>
      )}
      {may && (pickup.mayReschedule || pickup.mayCancel) && (
        <DialogFoot>
          {pickup.mayCancel && (
            <Button onClick={() => void cancel.send()} loading={cancel.pending}>
              {t('pickupsPage.cancel')}
            </Button>
          )}
          {pickup.mayReschedule && (
            <Button variant="filled" onClick={() => setMoving(true)}>
              {t('pickupsPage.reschedule')}
            </Button>
          )}
        </DialogFoot>
      )}
    </Stack>
  )
}
