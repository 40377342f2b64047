import { dropOffStations } from '@waybill/contract/stations/stations'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { LineList } from '../../../components/layout/boxes.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { OpeningTimes } from './opening-times.tsx'

const stationLimit = 4

/** The drop-off stations nearest to the sender's postcode, with opening hours. */
export function DropOffStations({ near }: { near: string | null }) {
  const t = useT()
  const format = useFormat()
  const nearby = useCall(
    dropOffStations,
    { query: { near: near ?? '', limit: stationLimit } },
    { enabled: near !== null, staleTime: 600_000 },
  )
  // An unknown postcode still shows some stations.
  const all = useCall(
    dropOffStations,
    { query: { limit: stationLimit } },
    { enabled: near === null || nearby.isError, staleTime: 600_000 },
  )
  const stations = nearby.data?.items ?? all.data?.items
  if (!stations) {
    return all.error ? <ErrorPanel error={all.error} retry={() => void all.refetch()} /> : <Loading />
  }
  return (
    <LineList aria-label={t('cart.dropOff')}>
      {stations.map((station) => (
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
