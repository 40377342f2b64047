import { serviceCodeLabels } from '@waybill/contract/ground/enums/enums'
import { publicCoverage, type Station } from '@waybill/contract/stations/stations'
import { Dialog } from '../../components/feedback/dialog.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { Row, Stack } from '../../components/layout/boxes.tsx'
import { Tag } from '../../components/layout/text.tsx'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'

/** Coverage area: the postcodes that a station serves, and its services there. */
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
        <Stack gap={12}>
          <h3>{t('stations.postcodes')}</h3>
          {postcodes.length === 0 ? (
            <p>{t('stations.counterOnly')}</p>
          ) : (
            <Row as="ul" gap={8}>
              {postcodes.map(({ from, to }) => (
                <Tag as="li" key={from}>
                  {from === to ? from : `${from}–${to}`}
                </Tag>
              ))}
            </Row>
          )}
          <h3>{t('stations.services')}</h3>
          <ul>
            {station.serviceCodes.map((code) => (
              <li key={code}>{label(serviceCodeLabels, code)}</li>
            ))}
          </ul>
        </Stack>
      )}
    </Dialog>
  )
}
