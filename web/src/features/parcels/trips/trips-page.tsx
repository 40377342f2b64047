import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { countLimit } from '@waybill/contract/ground/paging'
import {
  exportTrips,
  listMissingLoads,
  listTrips,
  type Trip,
  tripTabs,
} from '@waybill/contract/parcels/transport/trips'
import { useState } from 'react'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Tabs } from '../../../components/layout/tabs.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { formatCount, getCountedTabs } from '../../../components/list/list-toolbar.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { StationChoice, useChosenStation } from '../scanning/station-choice.tsx'
import { MissingList } from './missing-list.tsx'
import { NewTrip } from './new-trip.tsx'
import { useTripColumns } from './trip-columns.tsx'

const parts = ['trips', 'missing'] as const

/**
 * The trips from and to a station, and what is missing from them; for staff without a station, those of all stations
 * until they choose one.
 */
export function TripsPage() {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate()
  const { part } = useSearch({ from: '/staff/staff/trips' })
  const current = part === 'missing' ? part : 'trips'
  const own = useSession((state) => state.auth.user?.staff?.stationId ?? null)
  const [selected, chooseStation] = useChosenStation()
  // Staff of a station see no other, wherever they scan at the moment.
  const stationId = own ?? selected
  const [isNew, setNew] = useState(false)
  const missing = useCall(listMissingLoads, { query: { limit: 1, ...(stationId && { stationId }) } })
  const count = missing.data?.total
  const labels = { trips: t('tripPage.title'), missing: t('tripPage.missing') }
  return (
    <>
      <PageHeader
        title={t('tripPage.title')}
        description={t(current === 'missing' ? 'missingPage.lead' : 'tripPage.lead')}
        actions={
          <Button variant="filled" onClick={() => setNew(true)}>
            {t('tripPage.new')}
          </Button>
        }
      />
      {own === null && (
        <div style={{ maxWidth: 420, marginBlockEnd: 16 }}>
          <StationChoice value={stationId} onChange={chooseStation} />
        </div>
      )}
      <Tabs
        label={t('missingPage.parts')}
        tabs={parts.map((key) => ({
          key,
          label: labels[key],
          ...(key === 'missing' && {
            count: formatCount({ value: key, label: '', count, countedTo: countLimit }, format.number),
          }),
        }))}
        current={current}
        onSelect={(key) => void navigate({ to: '.', search: key === 'missing' ? { part: key } : {} })}
      />
      {current === 'missing' ? <MissingList stationId={stationId} /> : <TripList stationId={stationId} />}
      {isNew && (
        <NewTrip stationId={stationId} onStation={own === null ? chooseStation : null} onClose={() => setNew(false)} />
      )}
    </>
  )
}

function TripList({ stationId }: { stationId: string | null }) {
  const t = useT()
  const format = useFormat()
  const list = useList(listTrips, {
    tabField: 'status',
    defaultSort: '-createdAt',
    ...(stationId && { fixed: { stationId } }),
  })
  const columns = useTripColumns()
  return (
    <DataList
      list={list}
      label={t('tripPage.title')}
      searchLabel={t('tripPage.search')}
      sheet={exportTrips}
      countedTo={countLimit}
      tabs={getCountedTabs(tripTabs, (each) => t(`tripPage.tab.${each}`), list.result.data?.counts)}
      rowKey={(row: Trip) => row.id}
      rowName={(row) => format.trackingNumber(row.number)}
      columns={columns}
      empty={{ title: t('tripPage.empty'), text: t('tripPage.emptyHint') }}
    />
  )
}
