import { dropOffStations, nearbyServiceCenters, type Station } from '@waybill/contract/stations/stations'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { LineList } from '../../../components/layout/boxes.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { OpeningTimes } from './opening-times.tsx'

const stationLimit = 4

const takesParcels = ({ serviceCodes }: Station) => serviceCodes.some((code) => code.endsWith('.drop_off'))

/** The drop-off stations nearest to the sender's postcode, with opening hours. */
export function DropOffStations({ near }: { near: string | null }) {
  const t = useT()
  const format = useFormat()
  const nearby = useCall(
    nearbyServiceCenters,
    { params: { x: near ?? '' } },
    { enabled: near !== null, staleTime: 600_000 },
  )
  // An unknown postcode still shows the whole list.
  const all = useCall(dropOffStations, { query: {} }, { enabled: near === null || nearby.isError, staleTime: 600_000 })
  const stations = nearby.data?.items.filter(takesParcels) ?? all.data?.items
  if (!stations) {
    return all.error ? <ErrorPanel error={all.error} retry={() => void all.refetch()} /> : <Loading />
  }
  return (
    <LineList aria-label={t('cart.dropOff')}>
      {stations.slice(0, stationLimit).map((station) => (
        <li key={station.id}>
          <div>
            <strong>{station.name}</strong>
            <Quiet>
              {station.line1}, {station.postcode} {station.city}
            </Quiet>
            <Quiet>
              <OpeningTimes station={station} />
            </Quiet>
          </div>
          {station.distanceM !== null && <span>{format.distance(station.distanceM)}</span>}
        </li>
      ))}
    </LineList>
  )
}
