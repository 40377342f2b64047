import { Button } from '@mantine/core'
import type { TripLoad } from '@waybill/contract/parcels/transport/trips'
import { ScanField } from '../../../../components/fields/scan-field.tsx'
import { Columns, Panel, Stack } from '../../../../components/layout/boxes.tsx'
import { Note } from '../../../../components/layout/text.tsx'
import { FailedScans } from '../../../../components/scans/failed-scans.tsx'
import { ScanNotice } from '../../../../components/scans/scan-notice.tsx'
import type { useUnrecordedScans } from '../../../../components/scans/use-unrecorded-scans.ts'
import { useFormat } from '../../../../lib/format.ts'
import { useT } from '../../../../lib/i18n.ts'
import { LoadRows } from '../load-rows.tsx'
import type { TripRecord } from '../use-trip-record.ts'
import { Departure } from './departure.tsx'
import { useLoading } from './use-loading.ts'

type Props = { record: TripRecord; scans: ReturnType<typeof useUnrecordedScans> }

/** A trip at the station where it is loaded: scans, what is loaded, and the departure. */
export function LoadingPart({ record, scans }: Props) {
  const t = useT()
  const format = useFormat()
  const loading = useLoading(record, scans)
  const { trip } = record
  const isMisrouted = ({ misroute }: TripLoad) => misroute !== null
  const takeOff = ({ id, number }: TripLoad) => (
    <Button
      size="sm"
      variant="subtle"
      aria-label={t('tripPage.takeOffNumber', { number: format.trackingNumber(number) })}
      onClick={() => loading.takeOff(id, number)}
    >
      {t('tripPage.takeOff')}
    </Button>
  )
  return (
    <Columns>
      <div>
        <ScanField
          label={t('tripPage.load')}
          action={t('tripPage.loadAction')}
          main={trip.loads.length === 0}
          onScan={loading.scan}
        />
        <ScanNotice result={loading.result} ready={t('tripPage.loadReady')} />
        <FailedScans scans={loading.failures} />
        <Panel>
          {trip.loads.length === 0 && <Note>{t('tripPage.nothingLoaded')}</Note>}
          <Stack gap={24}>
            <LoadRows title={t('misroute.title')} loads={trip.loads.filter(isMisrouted)} action={takeOff} />
            <LoadRows
              title={t('tripPage.loadedTitle')}
              loads={trip.loads.filter((load) => !isMisrouted(load))}
              action={takeOff}
            />
          </Stack>
        </Panel>
      </div>
      <Departure record={record} scans={scans} onTakeOff={loading.takeOff} />
    </Columns>
  )
}
