import { countLimit } from '@waybill/contract/ground/paging'
import {
  exportStaffTickets,
  listStaffTickets,
  type StaffListedTicket,
  staffTicketTabs,
} from '@waybill/contract/tickets/staff-tickets'
import { ticketKindLabels } from '@waybill/contract/tickets/tickets'
import { ButtonLink, TextLink } from '../../../components/buttons/link.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { getCountedTabs } from '../../../components/list/list-toolbar.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useChoices } from '../../../lib/labels.ts'
import { useTicketColumns } from '../ticket-columns.tsx'

const filters = ['kind'] as const

/** Tickets of all accounts: those on which staff must act, the nearest deadline first. */
export function StaffTicketsPage() {
  const t = useT()
  const choices = useChoices()
  const list = useList(listStaffTickets, { filters })
  const columns = useTicketColumns<StaffListedTicket>('staff', (row, text) => (
    <TextLink to="/staff/tickets/$id" params={{ id: row.id }}>
      {text}
    </TextLink>
  ))
  return (
    <>
      <PageHeader
        title={t('tickets.title')}
        description={t('tickets.staffLead')}
        actions={
          <>
            <DownloadExcel endpoint={exportStaffTickets} narrowing={list.narrowing} />
            <ButtonLink to="/staff/inbox">{t('inbox.title')}</ButtonLink>
          </>
        }
      />
      <DataList
        list={list}
        label={t('tickets.title')}
        rowKey={(row: StaffListedTicket) => row.id}
        rowName={(row) => row.number}
        searchLabel={t('tickets.search')}
        tabs={getCountedTabs(staffTicketTabs, (tab) => t(`tickets.tab.${tab}`), list.result.data?.counts)}
        countedTo={countLimit}
        filters={<SelectField field={list.filter('kind', t('tickets.kind'))} choices={choices(ticketKindLabels)} />}
        columns={[
          ...columns.slice(0, 1),
          {
            id: 'account',
            header: t('inbox.account'),
            phone: 'detail' as const,
            cell: (row: StaffListedTicket) => row.accountName,
          },
          ...columns.slice(1),
        ]}
        empty={{ title: t('tickets.noneDue'), text: t('tickets.noneDueText') }}
      />
    </>
  )
}
