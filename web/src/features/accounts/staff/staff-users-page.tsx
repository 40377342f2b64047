import { Button } from '@mantine/core'
import { resetFactor } from '@waybill/contract/accounts/second-factor'
import { endUserSessions, listUsers, type PortalUser, userTabs } from '@waybill/contract/accounts/staff'
import { accountStatusLabels, adminUserTypeLabels, staffRoleLabels } from '@waybill/contract/ground/enums'
import { Time } from '../../../components/display/time.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'

/** All users. An administrator can end their sessions, or reset the second factor of staff. */
export function StaffUsersPage() {
  const t = useT()
  const label = useLabel()
  const list = useList(listUsers, {})
  const roleOf = ({ staff, accountName }: PortalUser) =>
    staff ? (staff.role ? label(staffRoleLabels, staff.role) : label(adminUserTypeLabels, staff.type)) : accountName
  return (
    <>
      <PageHeader title={t('usersAdmin.title')} description={t('usersAdmin.lead')} />
      <DataList
        list={list}
        label={t('usersAdmin.title')}
        searchLabel={t('usersAdmin.search')}
        tabs={userTabs.map((value) => ({ value, label: t(`usersAdmin.tab.${value}`) }))}
        rowKey={(row: PortalUser) => row.id}
        columns={[
          {
            id: 'name',
            header: t('fields.name'),
            card: 'title',
            cell: (row) => (
              <>
                <strong>{row.name}</strong>
                <Quiet>{row.email}</Quiet>
              </>
            ),
          },
          {
            id: 'role',
            header: t('usersAdmin.role'),
            cell: (row) => (
              <>
                {roleOf(row)}
                {row.status !== 'active' && <Quiet>{label(accountStatusLabels, row.status)}</Quiet>}
              </>
            ),
          },
          {
            id: 'lastLogin',
            header: t('usersPage.lastLogin'),
            cell: (row) => (row.lastLoginAt ? <Time at={row.lastLoginAt} /> : t('usersPage.never')),
          },
          {
            id: 'sessions',
            header: t('usersAdmin.devices'),
            align: 'end',
            cell: (row) => row.sessions,
          },
          {
            id: 'actions',
            header: t('usersPage.actions'),
            cell: (row) => (row.editable && (row.sessions > 0 || row.hasSecondFactor) ? <Actions row={row} /> : null),
          },
        ]}
        empty={{ title: t('usersPage.empty') }}
      />
    </>
  )
}

function Actions({ row }: { row: PortalUser }) {
  const t = useT()
  const { endSessions, reset } = useUserActions()
  return (
    <Buttons as="span">
      {row.sessions > 0 && (
        <Button
          size="compact-sm"
          disabled={endSessions.pending}
          aria-label={`${t('usersAdmin.endSessions')}: ${row.name}`}
          onClick={() => void endSessions.send(row)}
        >
          {t('usersAdmin.endSessions')}
        </Button>
      )}
      {row.hasSecondFactor && (
        <Button
          size="compact-sm"
          disabled={reset.pending}
          aria-label={`${t('usersAdmin.resetFactor')}: ${row.name}`}
          onClick={() => void reset.send(row)}
        >
          {t('usersAdmin.resetFactor')}
        </Button>
      )}
    </Buttons>
  )
}

function useUserActions() {
  const t = useT()
  const endSessions = useSend(({ id }: PortalUser) => call(endUserSessions, { params: { id } }), {
    confirm: ({ name }) => ({
      title: t('usersAdmin.endTitle', { name }),
      message: t('usersAdmin.endText'),
      action: t('usersAdmin.endSessions'),
    }),
    refresh: [listUsers],
    success: (_, { name }) => t('usersAdmin.ended', { name }),
  })
  const reset = useSend(({ id }: PortalUser) => call(resetFactor, { params: { id } }), {
    confirm: ({ name }) => ({
      title: t('usersAdmin.resetTitle', { name }),
      message: t('usersAdmin.resetText'),
      action: t('usersAdmin.resetFactor'),
    }),
    refresh: [listUsers],
    success: (_, { name }) => t('usersAdmin.resetDone', { name }),
  })
  return { endSessions, reset }
}
