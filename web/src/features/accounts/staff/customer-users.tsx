import { Button } from '@mantine/core'
import { endUserSessions, exportUsers, listUsers, type PortalUser } from '@waybill/contract/accounts/staff'
import { Time } from '../../../components/display/time.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { MemberStatus } from '../company/member-status.tsx'

/** All users of customers; staff who manage users can sign them out everywhere. */
export function CustomerUsers() {
  const t = useT()
  const list = useList(listUsers, {})
  const endSessions = useSend(({ id }: PortalUser) => call(endUserSessions, { params: { id } }), {
    confirm: ({ name }) => ({
      title: t('usersAdmin.endTitle', { name }),
      message: t('usersAdmin.endText'),
      action: t('usersAdmin.endSessions'),
    }),
    refresh: [listUsers],
    success: (_, { name }) => t('usersAdmin.ended', { name }),
  })
  return (
    <>
      <Note style={{ marginBlockEnd: 16 }}>{t('teamPage.customersLead')}</Note>
      <DataList
        list={list}
        label={t('teamPage.customers')}
        sheet={exportUsers}
        searchLabel={t('usersAdmin.search')}
        rowKey={(row: PortalUser) => row.id}
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
                <strong>{row.name}</strong>
                <Quiet>{row.email}</Quiet>
              </>
            ),
          },
          {
            id: 'account',
            header: t('usersAdmin.role'),
            phone: 'detail',
            cell: (row) => row.accountName,
          },
          {
            id: 'status',
            header: t('fields.status'),
            phone: 'end',
            cell: (row) => <MemberStatus status={row.status} invited={false} />,
          },
          {
            id: 'lastLogin',
            header: t('usersPage.lastLogin'),
            phone: 'detailEnd',
            cell: (row) => (row.lastLoginAt ? <Time at={row.lastLoginAt} /> : t('usersPage.never')),
          },
          { id: 'sessions', header: t('usersAdmin.devices'), align: 'end', cell: (row) => row.sessions },
          {
            id: 'actions',
            kind: 'actions',
            header: t('usersPage.actions'),
            cell: (row) =>
              row.sessions > 0 ? (
                <Button
                  size="compact-sm"
                  disabled={endSessions.pending}
                  aria-label={t('phrase.labelled', { label: t('usersAdmin.endSessions'), value: row.name })}
                  onClick={() => void endSessions.send(row)}
                >
                  {t('usersAdmin.endSessions')}
                </Button>
              ) : null,
          },
        ]}
        empty={{ title: t('usersPage.empty') }}
      />
    </>
  )
}
