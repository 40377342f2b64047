import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import {
  cancelTrip,
  getTrip,
  listTrips,
  type TripDetail,
  tripManifest,
  tripStatusLabels,
} from '@waybill/contract/parcels/transport/trips'
import { useState } from 'react'
import { PrintButton } from '../../../components/buttons/print-button.tsx'
import { CopyNumber } from '../../../components/display/copy-number.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Columns, Panel, Row, Stack } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Note, Notice } from '../../../components/layout/text.tsx'
import { FailedScans } from '../../../components/scans/failed-scans.tsx'
import { useUnrecordedScans } from '../../../components/scans/use-unrecorded-scans.ts'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { EditTrip } from './edit-trip.tsx'
import { LoadRows } from './load-rows.tsx'
import { LoadingPart } from './loading/loading-part.tsx'
import { TripFacts } from './trip-facts.tsx'
import { tripLooks } from './trip-look.ts'
import { TripResult } from './trip-result.tsx'
import { Arrival } from './unloading/arrival.tsx'
import { UnloadingPart } from './unloading/unloading-part.tsx'
import { type TripRecord, useTripRecord } from './use-trip-record.ts'

/** How often the trip is read again: colleagues load and unload it, too. */
const refreshMs = 30_000

/** One trip, from the first load to what was missing. */
export function TripPage() {
  const t = useT()
  const { id } = useParams({ from: '/staff/staff/trips/$id' })
  const trip = useCall(getTrip, { params: { id } }, { staleTime: 0, refetchInterval: refreshMs })
  if (trip.data) return <Shown key={id} fetched={trip.data} reload={() => void trip.refetch()} />
  return (
    <>
      <PageHeader title={t('tripPage.number')} />
      {trip.error ? <ErrorPanel error={trip.error} retry={() => void trip.refetch()} /> : <Loading />}
    </>
  )
}

function Shown({ fetched, reload }: { fetched: TripDetail; reload: () => void }) {
  const t = useT()
  const record = useTripRecord(fetched, reload)
  const { trip } = record
  const scans = useUnrecordedScans(`trip-${trip.id}`)
  const own = useSession((state) => state.auth.user?.staff?.stationId ?? null)
  const isAt = ({ id }: { id: string }) => own === null || own === id
  const mayLoad = trip.status === 'loading' && isAt(trip.fromStation)
  const mayUnload = trip.status === 'unloading' && isAt(trip.toStation)
  return (
    <>
      <Head record={record} work={mayLoad ? 'load' : mayUnload ? 'unload' : null} />
      {mayLoad ? (
        <LoadingPart record={record} scans={scans} />
      ) : mayUnload ? (
        <UnloadingPart record={record} scans={scans} />
      ) : (
        <Columns>
          <Stack gap={24}>
            {trip.status === 'under_way' && isAt(trip.toStation) ? (
              <Arrival record={record} />
            ) : trip.status === 'closed' ? (
              <TripResult trip={trip} />
            ) : (
              <StateNotice trip={trip} />
            )}
            <FailedScans scans={scans.failures} />
            {trip.status !== 'closed' && <AllLoads trip={trip} />}
          </Stack>
          <Panel title={t('tripPage.details')}>
            <TripFacts trip={trip} />
          </Panel>
        </Columns>
      )}
    </>
  )
}

/** Number, status and route, and what can be done before the departure. */
function Head({
  record: { trip, latest, take, reload },
  work,
}: {
  record: TripRecord
  work: 'load' | 'unload' | null
}) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const [isEditing, setEditing] = useState(false)
  const number = format.trackingNumber(trip.number)
  const cancel = useSend(() => call(cancelTrip, { params: { id: trip.id }, body: { version: latest().version } }), {
    confirm: {
      title: t('tripPage.cancel'),
      message: t('tripPage.cancelText', { number }),
      action: t('tripPage.cancel'),
      keep: t('tripPage.keep'),
    },
    refresh: [listTrips],
    success: t('tripPage.cancelled', { number }),
    onSuccess: take,
    onError: () => {
      reload()
      return false
    },
  })
  return (
    <>
      <PageHeader
        title={t('tripPage.fromTo', { from: trip.fromStation.name, to: trip.toStation.name })}
        description={
          <Row as="span" gap="4px 12px">
            <CopyNumber value={trip.number} text={number} />
            <StatusPill look={tripLooks[trip.status]} label={label(tripStatusLabels, trip.status)} />
          </Row>
        }
        actions={
          work === 'load' ? (
            <>
              <Button loading={cancel.pending} onClick={() => void cancel.send()}>
                {t('tripPage.cancel')}
              </Button>
              <Button onClick={() => setEditing(true)}>{t('tripPage.edit')}</Button>
            </>
          ) : (
            work === null &&
            trip.status !== 'cancelled' && (
              <PrintButton
                label={t('tripPage.manifest')}
                endpoint={tripManifest}
                options={{ params: { id: trip.id } }}
              />
            )
          )
        }
      />
      {isEditing && <EditTrip trip={trip} onSaved={take} onClose={() => setEditing(false)} />}
    </>
  )
}

/** Why nothing can be done with the trip here. */
function StateNotice({ trip: { status, fromStation, toStation } }: { trip: TripDetail }) {
  const t = useT()
  if (status === 'closed') return null
  return (
    <Notice role="note">{t(`tripPage.elsewhere.${status}`, { from: fromStation.name, to: toStation.name })}</Notice>
  )
}

function AllLoads({ trip: { loads, status } }: { trip: TripDetail }) {
  const t = useT()
  return (
    <Panel>
      {loads.length === 0 && <Note>{t('tripPage.nothingLoaded')}</Note>}
      <LoadRows
        title={t('tripPage.loadedTitle')}
        loads={loads}
        {...((status === 'loading' || status === 'cancelled') && { action: () => null })}
      />
    </Panel>
  )
}
