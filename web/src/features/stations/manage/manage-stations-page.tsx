import { Button } from '@mantine/core'
import { IconCalendarOff, IconFileSpreadsheet, IconPlus } from '@tabler/icons-react'
import { stationTypeLabels } from '@waybill/contract/ground/enums/enums'
import type { Look } from '@waybill/contract/ground/status/status-look'
import { exportManagedStations, listManagedStations, type ManagedStation } from '@waybill/contract/stations/manage'
import { type ReactNode, useState } from 'react'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { EditRowButton } from '../../../components/list/row-buttons.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChoices, useLabel } from '../../../lib/labels.ts'
import { useMay, useSession } from '../../../lib/session.ts'
import { StationDialog } from './station-dialog.tsx'

const filters = ['type'] as const
const openLook: Look = { tone: 'success', icon: 'check' }
const closedLook: Look = { tone: 'neutral', icon: 'clock' }

/** Whether the caller may open stations: everybody who manages stations, except an admin of a single one. */
function useMayOpen(): boolean {
  const own = useSession((state) => state.auth.user?.staff)
  return own !== undefined && own !== null && (own.type === 'superadmin' || own.stationId === null)
}

/** Links to the spreadsheets and to the holidays, before the main action. */
function Actions({ children }: { children: ReactNode }) {
  const t = useT()
  const maySetHolidays = useMay('staff.settings')
  return (
    <>
      {maySetHolidays && (
        <ButtonLink to="/staff/holidays" leftSection={<IconCalendarOff size={18} aria-hidden />}>
          {t('stationsAdmin.holidays')}
        </ButtonLink>
      )}
      <ButtonLink
        to="/staff/sheets/$kind"
        params={{ kind: 'stations' }}
        leftSection={<IconFileSpreadsheet size={18} aria-hidden />}
      >
        {t('sheets.open')}
      </ButtonLink>
      {children}
    </>
  )
}

/** The stations as staff manage them, closed ones included. */
export function ManageStationsPage() {
  const t = useT()
  const label = useLabel()
  const choices = useChoices()
  const format = useFormat()
  const mayOpen = useMayOpen()
  const list = useList(listManagedStations, { filters, defaultSort: '+code' })
  const [editing, setEditing] = useState<string | 'new' | null>(null)
  const create = mayOpen ? (
    <Button variant="filled" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEditing('new')}>
      {t('stationsAdmin.new')}
    </Button>
  ) : undefined
  return (
    <>
      <PageHeader
        title={t('stations.title')}
        description={t('stationsAdmin.description')}
        actions={<Actions>{create}</Actions>}
      />
      <DataList
        list={list}
        label={t('stations.title')}
        sheet={exportManagedStations}
        searchLabel={t('stations.search')}
        tabs={(['all', 'open', 'closed'] as const).map((value) => ({ value, label: t(`stationsAdmin.tab.${value}`) }))}
        filters={<SelectField field={list.filter('type')} choices={choices(stationTypeLabels)} />}
        rowKey={(row: ManagedStation) => row.id}
        rowName={(row) => `${row.code} ${row.name}`}
        columns={[
          {
            id: 'code',
            header: t('stations.station'),
            sort: 'code',
            card: 'title',
            phone: 'title',
            phoneCell: (row) => row.name,
            cell: (row) => (
              <>
                <strong>{row.code}</strong>
                <Quiet>{row.name}</Quiet>
              </>
            ),
          },
          {
            id: 'type',
            header: t('fields.type'),
            // The number at its end distinguishes the types.
            wraps: true,
            minWidth: 108,
            phone: 'detailEnd',
            cell: (row) => label(stationTypeLabels, row.type),
          },
          {
            id: 'place',
            header: t('fields.address'),
            sort: 'state',
            phone: 'detail',
            phoneCell: (row) => `${row.code} · ${row.city}`,
            cell: (row) => (
              <>
                {row.postcode} {row.city}
                <Quiet>{row.state}</Quiet>
              </>
            ),
          },
          {
            id: 'coverage',
            header: t('fields.coverage'),
            align: 'end',
            cell: (row) => format.number(row.coverageCount),
          },
          {
            id: 'open',
            header: t('fields.status'),
            phone: 'end',
            cell: (row) => (
              <StatusPill
                look={row.active ? openLook : closedLook}
                label={t(`stationsAdmin.${row.active ? 'isOpen' : 'isClosed'}`)}
              />
            ),
          },
          {
            id: 'changed',
            header: t('stationsAdmin.changed'),
            sort: 'updatedAt',
            cell: (row) => <Time at={row.updatedAt} />,
          },
          {
            id: 'actions',
            kind: 'actions',
            header: t('zonesPage.actions'),
            cell: (row) => row.editable && <EditRowButton of={row.code} onClick={() => setEditing(row.id)} />,
          },
        ]}
        empty={{ title: t('stations.empty'), text: t('stationsAdmin.emptyText') }}
      />
      {editing && <StationDialog id={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </>
  )
}
