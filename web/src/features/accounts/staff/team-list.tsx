import { Button } from '@mantine/core'
import { IconEye, IconPencil } from '@tabler/icons-react'
import { type Colleague, exportTeam, listTeam, teamTabs } from '@waybill/contract/accounts/team'
import { accountStatusLabels, adminUserTypeLabels, staffRoleLabels } from '@waybill/contract/ground/enums/enums'
import { countLimit } from '@waybill/contract/ground/paging'
import { useState } from 'react'
import { Avatar } from '../../../components/display/avatar.tsx'
import { Time } from '../../../components/display/time.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { Buttons } from '../../../components/layout/boxes.tsx'
import { Quiet, Tag } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { getCountedTabs } from '../../../components/list/list-toolbar.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useChoices, useLabel } from '../../../lib/labels.ts'
import { MemberStatus } from '../company/member-status.tsx'
import { ColleagueDialog } from './colleague-dialog.tsx'
import { ColleagueView } from './colleague-view.tsx'
import { usePositionLabel, useStationChoices, useStationName } from './positions.ts'

const filters = ['type', 'role', 'stationId'] as const

/** The staff: role, station, status and last sign-in of each. */
export function TeamList() {
  const t = useT()
  const label = useLabel()
  const choices = useChoices()
  const positionLabel = usePositionLabel()
  const stationName = useStationName()
  const stations = useStationChoices()
  const list = useList(listTeam, { filters })
  const [edited, setEdited] = useState<Colleague | null>(null)
  const [openId, setOpenId] = useState<string | null>(null)
  return (
    <>
      <DataList
        list={list}
        label={t('teamPage.staff')}
        sheet={exportTeam}
        searchLabel={t('teamPage.search')}
        tabs={getCountedTabs(
          teamTabs,
          (tab) => (tab === 'all' || tab === 'invited' ? t(`teamPage.${tab}`) : label(accountStatusLabels, tab)),
          list.result.data?.counts,
        )}
        countedTo={countLimit}
        filters={
          <>
            <SelectField field={list.filter('type', t('fields.type'))} choices={choices(adminUserTypeLabels)} />
            <SelectField field={list.filter('role', t('teamPage.role'))} choices={choices(staffRoleLabels)} />
            <SelectField field={list.filter('stationId', t('teamPage.station'))} choices={stations} />
          </>
        }
        rowKey={(row: Colleague) => row.id}
        rowName={(row) => row.name}
        columns={[
          {
            id: 'name',
            header: t('fields.personName'),
            card: 'title',
            phone: 'title',
            phoneCell: (row) => row.name,
            cell: (row) => (
              <>
                <Avatar name={row.name} photo={row.photoUrl} size={28} />
                <strong>{row.name}</strong>
                {row.isYou && (
                  <>
                    {' '}
                    <Tag>{t('teamPage.you')}</Tag>
                  </>
                )}
                <Quiet>{row.email}</Quiet>
              </>
            ),
          },
          {
            id: 'role',
            header: t('teamPage.role'),
            phone: 'detail',
            phoneCell: positionLabel,
            cell: (row) => (
              <>
                {positionLabel(row)}
                <Quiet>{stationName(row.stationId)}</Quiet>
              </>
            ),
          },
          {
            id: 'status',
            header: t('fields.status'),
            phone: 'end',
            cell: (row) => <MemberStatus status={row.status} invited={row.invited} />,
          },
          {
            id: 'lastLogin',
            header: t('usersPage.lastLogin'),
            phone: 'detailEnd',
            cell: (row) => (row.lastLoginAt ? <Time at={row.lastLoginAt} /> : t('usersPage.never')),
          },
          {
            id: 'actions',
            kind: 'actions',
            header: t('usersPage.actions'),
            cell: (row) => <RowActions row={row} view={() => setOpenId(row.id)} edit={() => setEdited(row)} />,
          },
        ]}
        empty={{ title: t('teamPage.empty'), text: t('teamPage.emptyHint') }}
      />
      {edited && <ColleagueDialog colleague={edited} onClose={() => setEdited(null)} />}
      {openId && (
        <ColleagueView
          id={openId}
          edit={(colleague) => {
            setOpenId(null)
            setEdited(colleague)
          }}
          onClose={() => setOpenId(null)}
        />
      )}
    </>
  )
}

function RowActions({ row, view, edit }: { row: Colleague; view: () => void; edit: () => void }) {
  const t = useT()
  return (
    <Buttons as="span" style={{ flexWrap: 'nowrap' }}>
      <Button
        size="compact-sm"
        leftSection={<IconEye size={16} aria-hidden />}
        title={t('actions.view')}
        aria-label={t('phrase.labelled', { label: t('actions.view'), value: row.name })}
        onClick={view}
      >
        {t('actions.view')}
      </Button>
      {row.editable && (
        <Button
          size="compact-sm"
          leftSection={<IconPencil size={16} aria-hidden />}
          title={t('actions.edit')}
          aria-label={t('phrase.labelled', { label: t('actions.edit'), value: row.name })}
          onClick={edit}
        >
          {t('actions.edit')}
        </Button>
      )}
    </Buttons>
  )
}
