import { serviceCodeLabels } from '@waybill/contract/ground/enums'
import { publicCoverage, type Station } from '@waybill/contract/stations/stations'
import { Dialog } from '../../components/dialog.tsx'
import { Loading } from '../../components/loading.tsx'
import { ErrorPanel } from '../../components/message-panel.tsx'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import classes from './stations.module.css'

/** Coverage Area: the postcodes that a station serves, and what it does for them. */
export function CoverageDialog({ station, onClose }: { station: Station; onClose: () => void }) {
  const t = useT()
  const label = useLabel()
  const { data, error, refetch } = useCall(publicCoverage, { query: { stationId: station.id } })
  const postcodes = data?.items[0]?.postcodes ?? []
  return (
    <Dialog title={t('stations.coverageOf', { station: station.name })} onClose={onClose}>
      {error ? (
        <ErrorPanel error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : (
        <>
          <h3 className={classes.heading}>{t('stations.postcodes')}</h3>
          {postcodes.length === 0 ? (
            <p className={classes.text}>{t('stations.counterOnly')}</p>
          ) : (
            <ul className={classes.ranges}>
              {postcodes.map(({ from, to }) => (
                <li key={from}>{from === to ? from : `${from}–${to}`}</li>
              ))}
            </ul>
          )}
          <h3 className={classes.heading}>{t('stations.services')}</h3>
          <ul className={classes.services}>
            {station.serviceCodes.map((code) => (
              <li key={code}>{label(serviceCodeLabels, code)}</li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
