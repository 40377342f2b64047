import { getPickupCapacity, type StationCapacity } from '@waybill/contract/pickups/windows'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Changes } from '../../components/display/changes.tsx'
import { formatWindow } from '../../components/display/time-window.ts'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../components/feedback/message-panel.tsx'
import { Row, Stack } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import classes from './capacity.module.css'
import { CapacityForm } from './capacity-form.tsx'

type Props = {
  /** The station whose capacity is shown; null: none yet. */
  stationId: string | null
  /** The selection of another station. */
  stationChoice: ReactNode
}

/** The pickup capacity of a station: the number in each window, the cut-off time, and the bookings. */
export function CapacityPage({ stationId, stationChoice }: Props) {
  const t = useT()
  return (
    <>
      <PageHeader title={t('capacityPage.title')} />
      <Row align="end" gap="12px 16px" style={{ marginBlockEnd: 24 }}>
        {stationChoice}
      </Row>
      {stationId ? (
        <Station key={stationId} id={stationId} />
      ) : (
        <MessagePanel kind="empty" title={t('capacityPage.noStation')} text={t('capacityPage.noStationHint')} />
      )}
    </>
  )
}

function Station({ id }: { id: string }) {
  const t = useT()
  const [saveCount, setSaveCount] = useState(0)
  const capacity = useCall(getPickupCapacity, { params: { id } })
  if (!capacity.data) {
    if (!capacity.error) return <Loading />
    return <ErrorPanel error={capacity.error} retry={() => void capacity.refetch()} />
  }
  return (
    <Stack gap={32}>
      <Load load={capacity.data.load} />
      {capacity.data.mayChange ? (
        <CapacityForm key={saveCount} capacity={capacity.data} onSaved={() => setSaveCount(saveCount + 1)} />
      ) : (
        <p>{t('capacityPage.other')}</p>
      )}
      <CapacityChanges changes={capacity.data.changes} />
    </Stack>
  )
}

/** The next two weeks: bookings and capacity, as text and as a bar. */
function Load({ load }: Pick<StationCapacity, 'load'>) {
  const t = useT()
  const format = useFormat()
  return (
    <Stack as="section" gap={12} aria-labelledby="load">
      <h2 id="load">{t('capacityPage.load')}</h2>
      <ul className={classes.load}>
        {load.map(({ day, rests, windows }) => (
          <li key={day} data-rests={rests}>
            <strong>{format.day(day)}</strong>
            <Quiet>{format.weekday(day)}</Quiet>
            {rests && <Quiet inline>{t('capacityPage.rests')}</Quiet>}
            {windows.map(({ window, pickups, booked }) =>
              rests && booked === 0 ? null : (
                <span key={window} className={classes.window} data-over={booked > (rests ? 0 : pickups)}>
                  <span>{formatWindow(window)}</span>
                  <span>
                    {t('capacityPage.booked', {
                      booked: format.number(booked),
                      pickups: format.number(rests ? 0 : pickups),
                    })}
                  </span>
                  <progress max={Math.max(pickups, 1)} value={Math.min(booked, Math.max(pickups, 1))} aria-hidden />
                  {booked > (rests ? 0 : pickups) && <strong>{t('capacityPage.over')}</strong>}
                </span>
              ),
            )}
          </li>
        ))}
      </ul>
    </Stack>
  )
}

function CapacityChanges({ changes }: Pick<StationCapacity, 'changes'>) {
  const t = useT()
  const words = (parts: StationCapacity['changes'][number]['parts']) =>
    parts
      .map(({ part, from, to }) =>
        t(`capacityPage.part.${part}`, { from: from ?? t('capacityPage.various'), to: to ?? '' }),
      )
      .join(' · ')
  return <Changes items={changes.map(({ at, by, parts }) => ({ at, by, text: words(parts) }))} />
}
