import { useParams } from '@tanstack/react-router'
import { isCancelled, isEnded } from '@waybill/contract/ground/status/parcel-status'
import { getParcel, type ParcelDetail } from '@waybill/contract/parcels/parcels'
import { getPickupRequest } from '@waybill/contract/pickups/pickups'
import { isPickedUp } from '@waybill/contract/pricing/delivery-mode'
import type { ComponentType } from 'react'
import { TextLink } from '../../components/buttons/link.tsx'
import { CopyNumber } from '../../components/display/copy-number.tsx'
import { useLongDay } from '../../components/display/line-breaks.ts'
import { ParcelPill } from '../../components/display/record-pills.tsx'
import { formatWindow } from '../../components/display/time-window.ts'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { Buttons, Columns, Panel, Row, Stack } from '../../components/layout/boxes.tsx'
import { Fact } from '../../components/layout/facts.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { usePhone } from '../../lib/browser/use-media.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { FollowButton } from '../notifications/shared/follow-button.tsx'
import { CarrierBookingPanel } from './carrier-handover/carrier-booking.tsx'
import { CustomsPanel } from './customs/customs-document.tsx'
import { DeliveryChoicePanel } from './failed-delivery/delivery-choice-panel.tsx'
import { findMainAction } from './main-action.ts'
import { NextStep } from './next-step.tsx'
import { ParcelActions } from './parcel-actions.tsx'
import { ParcelDetails, ParcelParties } from './parcel-details.tsx'
import { ParcelTimeline } from './parcel-timeline.tsx'
import { PlacesPanel } from './places-panel.tsx'
import { ProofOfDelivery } from './proof-of-delivery.tsx'
import { PriceExplainer } from './quotes/price-explainer.tsx'
import { CollectPanel } from './self-collection/collect-panel.tsx'
import { findDeliveryDay } from './shared/delivery-day.ts'
import { WeighingPanel } from './weighing/weighing-panel.tsx'

/**
 * One parcel: status and next step, timeline, documents, price, and the possible actions. Updates live. `more`: a panel
 * of a higher domain, after the timeline.
 */
export function ParcelPage({ more }: { more: PartOfPage }) {
  const t = useT()
  const { id } = useParams({ from: '/portal/parcels/$id' })
  const parcel = useCall(getParcel, { params: { id } })
  if (parcel.data) return <Shown parcel={parcel.data} more={more} />
  return (
    <>
      <PageHeader title={t('parcelPage.title')} />
      {parcel.error ? <ErrorPanel error={parcel.error} retry={() => void parcel.refetch()} /> : <Loading />}
    </>
  )
}

/** A panel of the page. It returns null for a parcel that it does not apply to. */
type PartOfPage = ComponentType<{ parcel: ParcelDetail }>

/**
 * The panels of the wide column in order: the next step with its button, the proof once it is delivered, the
 * customer's decisions, and then information. To add a panel, add one line here.
 */
const happening: readonly PartOfPage[] = [
  StatePanel,
  PhoneActions,
  ProofPanel,
  DeliveryChoicePanel,
  WeighingPanel,
  CollectPanel,
  CarrierBookingPanel,
  TimelinePanel,
  PlacesPanel,
]

/** The panels of the narrow column: the parcel's details. */
const facts: readonly PartOfPage[] = [ParcelParties, DetailsPanel, CustomsPanel, PricePanel]

function Shown({ parcel, more }: { parcel: ParcelDetail; more: PartOfPage }) {
  const t = useT()
  const format = useFormat()
  const isPhone = usePhone()
  const number = parcel.trackingNumber
  const name = parcel.receiver?.contactName
  return (
    <>
      <PageHeader
        title={name ? t('parcelPage.titleTo', { name }) : t('parcelPage.title')}
        description={
          number ? (
            <CopyNumber value={number} text={format.trackingNumber(number)} />
          ) : (
            // A parcel that was cancelled before its payment never gets one.
            !isCancelled(parcel.status) && t(parcel.waitsForApproval ? 'parcelPage.noNumberYet' : 'parcelPage.noNumber')
          )
        }
        actions={isPhone ? undefined : <ParcelActions parcel={parcel} show="others" />}
      />
      <Columns template="minmax(0, 3fr) minmax(280px, 2fr)">
        {[[...happening, more], facts].map((panels, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: always the same two columns
          <Stack gap={24} key={column}>
            {panels.map((Each) => (
              <Each parcel={parcel} key={Each.displayName ?? Each.name} />
            ))}
          </Stack>
        ))}
      </Columns>
    </>
  )
}

/** On a phone the buttons of the page header would push the status out of the first screen. */
function PhoneActions({ parcel }: { parcel: ParcelDetail }) {
  if (!usePhone()) return null
  return (
    <Buttons>
      <ParcelActions parcel={parcel} show="others" />
    </Buttons>
  )
}

function expectedWord(day: string, today: string) {
  if (day === today) return 'parcelPage.expectedToday'
  return day < today ? 'parcelPage.wasExpected' : 'parcelPage.expected'
}

/** The status, the next step in a sentence, its day, and the main button. */
function StatePanel({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const format = useFormat()
  const longDay = useLongDay()
  const day = findDeliveryDay(parcel)
  return (
    <Panel>
      <Row gap="12px 16px" role="status">
        <ParcelPill parcel={parcel} waitsForApproval={parcel.waitsForApproval} />
        {parcel.leg === 'return' && !isEnded(parcel.status) && <Quiet>{t('parcelPage.returning')}</Quiet>}
      </Row>
      {day && (
        <strong>
          {t(expectedWord(day, format.today()), { date: longDay(day) })}
          {parcel.promisedDate && ` · ${t('parcelPage.promised', { date: longDay(parcel.promisedDate) })}`}
        </strong>
      )}
      <NextStep parcel={parcel} />
      {findMainAction(parcel) && (
        <Buttons>
          <ParcelActions parcel={parcel} show="main" />
          {findMainAction(parcel) === 'share' && <FollowButton />}
        </Buttons>
      )}
    </Panel>
  )
}

function TimelinePanel({ parcel }: { parcel: ParcelDetail }) {
  return <ParcelTimeline events={parcel.events} />
}

function ProofPanel({ parcel }: { parcel: ParcelDetail }) {
  return parcel.proof && <ProofOfDelivery proof={parcel.proof} />
}

function DetailsPanel({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const format = useFormat()
  const { gunnyId, gunnyNumber } = parcel
  return (
    <ParcelDetails
      parcel={parcel}
      links={
        <>
          <PickupFact label={t('fields.pickup')} id={parcel.pickupRequestId} />
          <PickupFact label={t('parcelPage.returnPickup')} id={parcel.returnPickupId} />
          {gunnyId && gunnyNumber && (
            <Fact label={t('parcelPage.gunny')}>
              <TextLink to="/gunny/$id" params={{ id: gunnyId }}>
                {format.trackingNumber(gunnyNumber)}
              </TextLink>
            </Fact>
          )}
        </>
      }
    />
  )
}

function PricePanel({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const { price, status, orderId, deliveryMode } = parcel
  const isOpen = status === 'incart' && orderId === null && isPickedUp(deliveryMode)
  return price && <PriceExplainer price={price} note={isOpen ? t('parcelPage.pickupOpen') : undefined} />
}

/** The time of a pickup, unless it was cancelled. */
function PickupFact({ label, id }: { label: string; id: string | null }) {
  const t = useT()
  const longDay = useLongDay()
  const pickup = useCall(getPickupRequest, { params: { id: id ?? '' } }, { enabled: id !== null })
  if (!pickup.data || pickup.data.cancelledAt) return null
  const { number, date, window } = pickup.data
  return (
    <Fact label={label}>{t('parcelPage.pickup', { number, day: longDay(date), window: formatWindow(window) })}</Fact>
  )
}
