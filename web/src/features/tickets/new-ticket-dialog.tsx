import { Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import {
  createTicket,
  listTickets,
  type PlainTicketKind,
  plainTicketKinds,
  ticketKindLabels,
} from '@waybill/contract/tickets/tickets'
import { SaveDialog } from '../../components/feedback/save-dialog.tsx'
import { SelectField } from '../../components/fields/select-field.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { fieldProps } from '../../components/form/field-props.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCallOnce } from '../../lib/once.ts'

type Values = { kind: PlainTicketKind; title: string; description: string; aboutId: string | null }
type Props = {
  onClose: () => void
  /** The parcel or order that the ticket is about. */
  aboutId?: string | null
}

/** Opens a ticket, and then its page. */
export function NewTicketDialog({ onClose, aboutId = null }: Props) {
  const t = useT()
  const label = useLabel()
  const navigate = useNavigate()
  const callOnce = useCallOnce()
  const form = useContractForm<typeof createTicket.body, Values, { id: string; number: string }>({
    schema: createTicket.body,
    initial: { kind: aboutId ? 'delivery' : 'enquiry', title: '', description: '', aboutId },
    onSubmit: (body) => callOnce(createTicket, { body }),
    refresh: [listTickets],
    success: ({ number }) => t('tickets.opened', { number }),
    onSuccess: ({ id }) => navigate({ to: '/tickets/$id', params: { id } }),
  })
  const description = form.field('description', t('tickets.description'))
  return (
    <SaveDialog title={t('tickets.new')} shape="wide" onClose={onClose} save={t('tickets.send')} form={form}>
      <SelectField
        field={form.field('kind', t('tickets.kind'))}
        choices={plainTicketKinds.map((value) => ({ value, label: label(ticketKindLabels, value) }))}
      />
      <TextField field={form.field('title', t('tickets.subject'))} autoComplete="off" data-autofocus />
      <Textarea
        {...fieldProps(description)}
        value={description.value}
        onChange={(event) => description.onChange(event.currentTarget.value)}
        autosize
        minRows={4}
        maxRows={14}
      />
    </SaveDialog>
  )
}
