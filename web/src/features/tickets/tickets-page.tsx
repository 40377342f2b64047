import { Button } from '@mantine/core'
import { IconPhoto, IconPlus } from '@tabler/icons-react'
import { countLimit } from '@waybill/contract/ground/paging'
import {
  exportTickets,
  type ListedTicket,
  listTickets,
  ticketKindLabels,
  ticketTabs,
} from '@waybill/contract/tickets/tickets'
import { useState } from 'react'
import { TextLink } from '../../components/buttons/link.tsx'
import { SelectField } from '../../components/fields/select-field.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { DataList } from '../../components/list/data-list.tsx'
import { DownloadExcel } from '../../components/list/download-excel.tsx'
import { useList } from '../../components/list/list-state.ts'
import { getCountedTabs } from '../../components/list/list-toolbar.tsx'
import { useT } from '../../lib/i18n.ts'
import { useChoices } from '../../lib/labels.ts'
import { useMay } from '../../lib/session.ts'
import { currentView } from '../../lib/view.ts'
import { ArtworkDialog } from './artwork/artwork-dialog.tsx'
import { NewTicketDialog } from './new-ticket-dialog.tsx'
import { useTicketColumns } from './ticket-columns.tsx'

const filters = ['kind'] as const

/** The tickets of the account: questions, claims, and a company's artwork. */
export function TicketsPage() {
  const t = useT()
  const choices = useChoices()
  const mayWrite = useMay('support') && !currentView
  const mayBrand = useMay('corporate.owner') && !currentView
  const list = useList(listTickets, { filters })
  const [dialog, setDialog] = useState<'ticket' | 'artwork' | null>(null)
  const columns = useTicketColumns<ListedTicket>('customer', (row, text) => (
    <TextLink to="/tickets/$id" params={{ id: row.id }}>
      {text}
    </TextLink>
  ))
  return (
    <>
      <PageHeader
        title={t('tickets.title')}
        description={t('tickets.lead')}
        actions={
          <>
            <DownloadExcel endpoint={exportTickets} narrowing={list.narrowing} />
            {mayBrand && (
              <Button leftSection={<IconPhoto size={18} aria-hidden />} onClick={() => setDialog('artwork')}>
                {t('tickets.newArtwork')}
              </Button>
            )}
            {mayWrite && (
              <Button
                variant="filled"
                leftSection={<IconPlus size={18} aria-hidden />}
                onClick={() => setDialog('ticket')}
              >
                {t('actions.new')}
              </Button>
            )}
          </>
        }
      />
      <DataList
        list={list}
        label={t('tickets.title')}
        rowKey={(row: ListedTicket) => row.id}
        rowName={(row) => row.number}
        tabs={getCountedTabs(ticketTabs, (tab) => t(`tickets.tab.${tab}`), list.result.data?.counts)}
        countedTo={countLimit}
        filters={<SelectField field={list.filter('kind', t('tickets.kind'))} choices={choices(ticketKindLabels)} />}
        columns={columns}
        empty={{ title: t('tickets.none'), text: t('tickets.noneText') }}
      />
      {dialog === 'ticket' && <NewTicketDialog onClose={() => setDialog(null)} />}
      {dialog === 'artwork' && <ArtworkDialog onClose={() => setDialog(null)} />}
    </>
  )
}
