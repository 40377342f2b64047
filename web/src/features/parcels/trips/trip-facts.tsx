import type { TripDetail } from '@waybill/contract/parcels/transport/trips'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Row } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { sealLooks } from './trip-look.ts'

/** Vehicle, driver, totals, seal and times of a trip. */
export function TripFacts({ trip }: { trip: TripDetail }) {
  const t = useT()
  const format = useFormat()
  const { seal, sealNumber, departedAt, arrivedAt, closedAt, status } = trip
  return (
    <Facts>
      <Fact label={t('tripPage.from')}>{trip.fromStation.name}</Fact>
      <Fact label={t('tripPage.to')}>{trip.toStation.name}</Fact>
      <Fact label={t('tripPage.vehicle')}>{trip.vehicle}</Fact>
      <Fact label={t('fields.driverName')}>{trip.driverName}</Fact>
      <Fact label={t('tripPage.loads')}>{format.number(trip.loadCount)}</Fact>
      <Fact label={t('tripPage.parcels')}>{format.number(trip.parcelCount)}</Fact>
      <Fact label={t('fields.weightGrams')}>{format.weight(trip.weightGrams)}</Fact>
      {departedAt && (
        <Fact label={t('tripPage.seal')}>
          <Row gap="4px 8px" justify="end" as="span">
            {sealNumber && <span>{sealNumber}</span>}
            {seal && seal !== 'none' && <StatusPill look={sealLooks[seal]} label={t(`tripPage.sealReading.${seal}`)} />}
            {!sealNumber && seal !== 'broken' && t('tripPage.sealReading.none')}
          </Row>
        </Fact>
      )}
      <Fact label={t('tripPage.departed')}>{departedAt && <Time at={departedAt} relative={false} />}</Fact>
      <Fact label={t('tripPage.arrived')}>{arrivedAt && <Time at={arrivedAt} relative={false} />}</Fact>
      <Fact label={t(status === 'cancelled' ? 'tripPage.cancelledAt' : 'tripPage.closed')}>
        {closedAt && <Time at={closedAt} relative={false} />}
      </Fact>
    </Facts>
  )
}
