import { Button } from '@mantine/core'
import { stationTypeLabels } from '@waybill/contract/ground/enums'
import type { Look } from '@waybill/contract/ground/status-look'
import { getSelector } from '@waybill/contract/settings/settings'
import { publicStations, type Station } from '@waybill/contract/stations/stations'
import { useState } from 'react'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { SelectField } from '../../components/fields/select-field.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { DataList } from '../../components/list/data-list.tsx'
import { useList } from '../../components/list/list-state.ts'
import { useT } from '../../lib/i18n.ts'
import { useChoices, useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import { CoverageDialog } from './coverage-dialog.tsx'
import { OpeningWeek } from './opening-week.tsx'

const filters = ['type', 'state'] as const
const openLook: Look = { tone: 'success', icon: 'check' }
const closedLook: Look = { tone: 'neutral', icon: 'clock' }

/** All stations: address, opening hours and coverage. The same for visitors and customers. */
export function StationsPage() {
  const t = useT()
  const label = useLabel()
  const choices = useChoices()
  const list = useList(publicStations, { filters, defaultSort: '+name' })
  const states = useCall(getSelector, { params: { name: 'states' } }, { staleTime: Number.POSITIVE_INFINITY })
  const [coverageStation, setCoverageStation] = useState<Station | null>(null)
  return (
    <>
      <PageHeader title={t('stations.title')} description={t('stations.description')} />
      <DataList
        list={list}
        label={t('stations.title')}
        searchLabel={t('stations.search')}
        rowKey={(row: Station) => row.id}
        filters={
          <>
            <SelectField field={list.filter('type')} choices={choices(stationTypeLabels)} />
            <SelectField field={list.filter('state')} choices={states.data?.items ?? []} />
          </>
        }
        columns={[
          {
            id: 'name',
            header: t('stations.station'),
            sort: 'name',
            card: 'title',
            cell: (row) => (
              <>
                <strong>{row.name}</strong>
                <Quiet>{label(stationTypeLabels, row.type)}</Quiet>
              </>
            ),
          },
          {
            id: 'address',
            header: t('fields.address'),
            sort: 'city',
            cell: (row) => (
              <>
                {row.line1}
                <Quiet>
                  {row.postcode} {row.city === row.state ? row.city : `${row.city}, ${row.state}`}
                </Quiet>
              </>
            ),
          },
          {
            id: 'phone',
            header: t('fields.phone'),
            cell: (row) => (
              <a style={{ whiteSpace: 'nowrap' }} href={`tel:${row.phone}`}>
                {row.phone}
              </a>
            ),
          },
          {
            id: 'now',
            header: t('stations.now'),
            cell: (row) => (
              <StatusPill
                look={row.openNow ? openLook : closedLook}
                label={row.openNow ? t('home.openNow') : t('home.closedNow')}
              />
            ),
          },
          {
            id: 'hours',
            header: t('stations.openingHours'),
            cell: (row) => <OpeningWeek openingHours={row.openingHours} />,
          },
          {
            id: 'coverage',
            header: t('actions.coverageArea'),
            cell: (row) => (
              <Button
                variant="default"
                size="compact-md"
                aria-label={t('stations.coverageOf', { station: row.name })}
                onClick={() => setCoverageStation(row)}
              >
                {t('actions.coverageArea')}
              </Button>
            ),
          },
        ]}
        empty={{ title: t('stations.empty'), text: t('stations.emptyText') }}
      />
      {coverageStation && <CoverageDialog station={coverageStation} onClose={() => setCoverageStation(null)} />}
    </>
  )
}
