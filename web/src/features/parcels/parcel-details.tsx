import { carrierLabels, collectionModeLabels, contentTypeLabels } from '@waybill/contract/ground/enums/enums'
import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import type { ReactNode } from 'react'
import { Photos } from '../../components/display/photos.tsx'
import { Grid, Panel } from '../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { PartyBlock } from './new-parcel/party-block.tsx'

/** Sender and receiver of a parcel. */
export function ParcelParties({ parcel: { sender, receiver } }: { parcel: ParcelDetail }) {
  const t = useT()
  return (
    <Panel title={t('parcelPage.parties')}>
      <Grid min={220} gap={24}>
        <PartyBlock title={t('fields.sender')} party={sender} />
        <PartyBlock title={t('fields.receiver')} party={receiver} />
      </Grid>
    </Panel>
  )
}

type Props = {
  parcel: ParcelDetail
  /** The facts of its pickup and gunny, with links for the user. */
  links?: ReactNode
}

/** The service, measures, contents and values of a parcel, with the sender's photos. */
export function ParcelDetails({ parcel, links }: Props) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  return (
    <Panel title={t('parcelPage.details')}>
      <Facts>
        <Fact label={t('fields.serviceType')}>
          {parcel.serviceType && label(serviceTypeLabels, parcel.serviceType)}
        </Fact>
        <Fact label={t('fields.deliveryMode')}>
          {parcel.deliveryMode && label(deliveryModeLabels, parcel.deliveryMode)}
        </Fact>
        <Fact label={t('fields.carrier')}>{parcel.carrier && label(carrierLabels, parcel.carrier)}</Fact>
        <Fact label={t('fields.dropOffStationId')}>{parcel.stations.dropOff}</Fact>
        <Fact label={t('fields.selfCollectionStationId')}>{parcel.stations.selfCollection}</Fact>
        {links}
        <Fact label={t('fields.weightGrams')}>{parcel.weightGrams && format.weight(parcel.weightGrams)}</Fact>
        <Fact label={t('fields.dimensions')}>{parcel.dimensions && format.dimensions(parcel.dimensions)}</Fact>
        <Fact label={t('fields.contentType')}>
          {parcel.contentType && label(contentTypeLabels, parcel.contentType)}
        </Fact>
        <Fact label={t('fields.contentDescription')}>{parcel.contentDescription}</Fact>
        <Fact label={t('fields.reference')}>{parcel.reference}</Fact>
        <Fact label={t('fields.declaredValueMinor')}>
          {parcel.declaredValueMinor && format.money(parcel.declaredValueMinor, parcel.currency)}
        </Fact>
        <Fact label={t('fields.insuredValueMinor')}>
          {parcel.insuredValueMinor && format.money(parcel.insuredValueMinor, parcel.currency)}
        </Fact>
        {parcel.collectionMode && (
          <Fact label={label(collectionModeLabels, parcel.collectionMode)}>
            {parcel.codAmountMinor && format.money(parcel.codAmountMinor, parcel.currency)}
          </Fact>
        )}
        <Fact label={t('parcelPage.created')}>{format.dateTime(parcel.createdAt)}</Fact>
        <Fact label={t('parcelPage.createdBy')}>{parcel.createdByName}</Fact>
      </Facts>
      <Photos photos={parcel.photos} alt={t('parcelPage.senderPhoto')} />
    </Panel>
  )
}
