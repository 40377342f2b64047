import { endsAtStation, isPickedUp } from '@waybill/contract/pricing/delivery-mode'
import { lazy } from 'react'
import { LazyPart } from '../../../components/feedback/lazy-part.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import type { PickupClock, PickupSlot } from '../cart/pickup-slots.ts'
import type { Quotes } from '../quotes/use-quotes.ts'
import { DeliveryQuestions } from '../services/delivery-questions.tsx'
import { Services } from '../services/services.tsx'
import classes from './new-parcel.module.css'
import type { ParcelValues } from './parcel-values.ts'

/** Imported on demand, because most parcels are delivered to the door. */
const CollectionStation = lazy(async () => ({
  default: (await import('../cart/collection-station.tsx')).CollectionStation,
}))

/** Imported on demand: this step is the last one, and the page has a limit. */
const PickupTime = lazy(async () => ({ default: (await import('../cart/pickup-time.tsx')).PickupTime }))

type Props = {
  form: ContractForm<ParcelValues>
  quotes: Quotes
  /** The time of the pickup, for an order that is paid now; null hides it. */
  pickup: { clock: PickupClock; slot: PickupSlot | null; choose: (slot: PickupSlot) => void } | null
}

/** Pickup or drop-off, delivery or collection, and the service. */
export function HowStep({ form, quotes, pickup }: Props) {
  const t = useT()
  const { values } = form
  return (
    <Stack gap={24}>
      <DeliveryQuestions form={form} />
      {endsAtStation(values.deliveryMode) && (
        <LazyPart fallback={<Loading />}>
          <CollectionStation
            field={form.field('selfCollectionStationId')}
            near={values.receiver.postcode}
            state={values.receiver.state}
          />
        </LazyPart>
      )}
      <Services form={form} quotes={quotes} />
      {pickup && isPickedUp(values.deliveryMode) && (
        <Stack className={classes.pickup}>
          <Note>{t('newParcel.pickupHint')}</Note>
          <LazyPart fallback={<Loading />}>
            <PickupTime clock={pickup.clock} value={pickup.slot} onChange={pickup.choose} />
          </LazyPart>
        </Stack>
      )}
    </Stack>
  )
}
