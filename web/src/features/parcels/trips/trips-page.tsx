import { Button } from '@mantine/core'
import { countLimit } from '@waybill/contract/ground/paging'
import { exportTrips, listTrips, type Trip, tripTabs } from '@waybill/contract/parcels/transport/trips'
import { useState } from 'react'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useSession } from '../../../lib/session.ts'
import { StationChoice, useChosenStation } from '../scanning/station-choice.tsx'
import { NewTrip } from './new-trip.tsx'
import { useTripColumns } from './trip-columns.tsx'

/** The trips from and to a station; for staff without a station, those of all stations until they choose one. */
export function TripsPage() {
  const t = useT()
  const format = useFormat()
  const own = useSession((state) => state.auth.user?.staff?.stationId ?? null)
  const [selected, chooseStation] = useChosenStation()
  // Staff of a station see no other, wherever they scan at the moment.
  const stationId = own ?? selected
  const [isNew, setNew] = useState(false)
  const list = useList(listTrips, {
    tabField: 'status',
    defaultSort: '-createdAt',
    ...(stationId && { fixed: { stationId } }),
  })
  const columns = useTripColumns()
  const { counts, items = [] } = list.result.data ?? {}
  return (
    <>
      <PageHeader
        title={t('tripPage.title')}
        description={t('tripPage.lead')}
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
      <DataList
        list={list}
        label={t('tripPage.title')}
        searchLabel={t('tripPage.search')}
        sheet={exportTrips}
        countedTo={countLimit}
        tabs={tripTabs.map((value) => ({ value, label: t(`tripPage.tab.${value}`), count: counts?.[value] }))}
        rowKey={(row: Trip) => row.id}
        rowName={(row) => format.trackingNumber(row.number)}
        columns={columns}
        empty={{ title: t('tripPage.empty'), text: t('tripPage.emptyHint') }}
      />
      {isNew && (
        <NewTrip
          stationId={stationId}
          onStation={own === null ? chooseStation : null}
          recentTrips={items}
          onClose={() => setNew(false)}
        />
      )}
    </>
  )
}
