import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { CopyNumber } from '../../../components/display/copy-number.tsx'
import { useLongDay } from '../../../components/display/line-breaks.ts'
import { PhoneLink } from '../../../components/display/phone-link.tsx'
import { ParcelPill } from '../../../components/display/record-pills.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { Buttons, Stack } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { NextStep } from '../next-step.tsx'
import { ParcelActions } from '../parcel-actions.tsx'
import { findDeliveryDay } from '../shared/delivery-day.ts'
import { DeliveryDay } from './delivery-day.tsx'

/** A parcel in the side panel: the next step, the day, the receiver, the amounts, and the possible actions. */
export function ParcelSidePanel({ id }: { id: string }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const longDay = useLongDay()
  const { data: parcel, error, refetch } = useCall(getParcel, { params: { id } })
  if (error) return <ErrorPanel error={error} retry={() => void refetch()} />
  if (!parcel) return <Loading />
  const { receiver, currency } = parcel
  const money = (amount: number | null) => amount !== null && amount > 0 && format.money(amount, currency)
  const [latest] = parcel.events
  return (
    <Stack>
      <div>
        <ParcelPill parcel={parcel} waitsForApproval={parcel.waitsForApproval} />
      </div>
      <NextStep parcel={parcel} />
      <Buttons>
        <ParcelActions parcel={parcel} show="main" />
      </Buttons>
      <Facts>
        <Fact label={t('fields.trackingNumber')}>
          {parcel.trackingNumber && (
            <CopyNumber value={parcel.trackingNumber} text={format.trackingNumber(parcel.trackingNumber)} />
          )}
        </Fact>
        <Fact label={t('parcelsPage.expected')}>
          {findDeliveryDay(parcel) && <DeliveryDay parcel={parcel} write={longDay} />}
        </Fact>
        <Fact label={t('parcelsPage.lastEvent')}>{latest && <Time at={latest.at} />}</Fact>
        <Fact label={t('fields.receiver')}>
          {receiver && (
            <>
              {receiver.contactName}
              <Quiet>
                <PhoneLink phone={receiver.phone} />
              </Quiet>
            </>
          )}
        </Fact>
        <Fact label={t('addressBook.address')}>
          {receiver &&
            [receiver.line1, receiver.line2, `${receiver.postcode} ${receiver.city}`].filter(Boolean).join(', ')}
        </Fact>
        <Fact label={t('parcelsPage.service')}>
          {parcel.serviceType && label(serviceTypeLabels, parcel.serviceType)}
        </Fact>
        <Fact label={t('fields.deliveryMode')}>
          {parcel.deliveryMode && label(deliveryModeLabels, parcel.deliveryMode)}
        </Fact>
        <Fact label={t('fields.codAmountMinor')}>{money(parcel.codAmountMinor)}</Fact>
        <Fact label={t('parcelsPage.price')}>{money(parcel.priceMinor)}</Fact>
        <Fact label={t('parcelsPage.due')}>{money(parcel.amountDueMinor)}</Fact>
      </Facts>
      <Buttons>
        <ParcelActions parcel={parcel} show="others" />
        <ButtonLink to="/parcels/$id" params={{ id }}>
          {t('list.openPage')}
        </ButtonLink>
      </Buttons>
    </Stack>
  )
}
