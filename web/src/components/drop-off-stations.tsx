import { dropOffStations, nearbyServiceCenters, type Station } from '@waybill/contract/stations/stations'
import { useFormat } from '../lib/format.ts'
import { useT } from '../lib/i18n.ts'
import { useCall } from '../lib/query.ts'
import classes from './drop-off-stations.module.css'
import { Loading } from './loading.tsx'
import { ErrorPanel } from './message-panel.tsx'
import { OpeningTimes } from './opening-times.tsx'

const shown = 4

const takesParcels = ({ serviceCodes }: Station) => serviceCodes.some((code) => code.endsWith('.drop_off'))

/** Where the parcels can be brought: the stations next to the sender's postcode, with their hours. */
export function DropOffStations({ near }: { near: string | null }) {
  const t = useT()
  const format = useFormat()
  const nearby = useCall(
    nearbyServiceCenters,
    { params: { x: near ?? '' } },
    { enabled: near !== null, staleTime: 600_000 },
  )
  // A postcode that nobody can place still leaves the whole list.
  const all = useCall(dropOffStations, { query: {} }, { enabled: near === null || nearby.isError, staleTime: 600_000 })
  const stations = nearby.data?.items.filter(takesParcels) ?? all.data?.items
  if (!stations) {
    return all.error ? <ErrorPanel error={all.error} retry={() => void all.refetch()} /> : <Loading />
  }
  return (
    <ul className={classes.list} aria-label={t('cart.dropOff')}>
      {stations.slice(0, shown).map((station) => (
        <li key={station.id}>
          <span className={classes.name}>
            {station.name}
            {station.distanceM !== null && (
              <span className={classes.distance}>{format.distance(station.distanceM)}</span>
            )}
          </span>
          <span className={classes.quiet}>
            {station.line1}, {station.postcode} {station.city}
          </span>
          <span className={classes.quiet}>
            <OpeningTimes station={station} />
          </span>
        </li>
      ))}
    </ul>
  )
}
