import { Button, Textarea } from '@mantine/core'
import type { ClaimDecision } from '@waybill/contract/tickets/claims'
import { decideClaim, getStaffTicket, type StaffTicket } from '@waybill/contract/tickets/staff-tickets'
import type { TicketAction } from '@waybill/contract/tickets/tickets'
import { useState } from 'react'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useRecordVersion } from '../../../components/feedback/use-record-version.ts'
import { MoneyField } from '../../../components/fields/measure-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { fieldProps } from '../../../components/form/field-props.ts'
import { Buttons } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useMay } from '../../../lib/session.ts'
import { changedByTickets } from '../changed-by-tickets.ts'

const decisions: readonly [TicketAction, ClaimDecision][] = [
  ['reconsider_claim', 'reconsidered'],
  ['request_documents', 'documents_requested'],
  ['refuse_claim', 'refused'],
  ['accept_claim', 'accepted'],
]

/** The possible decisions on a claim now. Users without the right to finance see why there are none. */
export function ClaimDecisions({ ticket }: { ticket: StaffTicket }) {
  const t = useT()
  const mayDecide = useMay('staff.finance')
  const [decision, setDecision] = useState<ClaimDecision | null>(null)
  const open = decisions.filter(([action]) => ticket.allowedActions.includes(action))
  if (open.length === 0) return null
  if (!mayDecide) return <Note>{t('tickets.claim.onlyFinance')}</Note>
  return (
    <>
      <Buttons>
        {open.map(([, each]) => (
          <Button key={each} variant={each === 'accepted' ? 'filled' : 'default'} onClick={() => setDecision(each)}>
            {t(`tickets.decide.${each}`)}
          </Button>
        ))}
      </Buttons>
      {decision && <DecisionDialog ticket={ticket} decision={decision} onClose={() => setDecision(null)} />}
    </>
  )
}

type Values = { decision: ClaimDecision; amountMinor: number | null; note: string | null }
type Props = { ticket: StaffTicket; decision: ClaimDecision; onClose: () => void }

function DecisionDialog({ ticket, decision, onClose }: Props) {
  const t = useT()
  const format = useFormat()
  const { claim } = ticket
  const { version, conflict, onError } = useRecordVersion(ticket, ({ id }) => call(getStaffTicket, { params: { id } }))
  const form = useContractForm<typeof decideClaim.body, Values, StaffTicket>({
    schema: decideClaim.body,
    initial: {
      decision,
      amountMinor: decision === 'accepted' ? (claim?.claimedMinor ?? null) : null,
      note: '',
    },
    prepare: (values) => ({ ...values, version }),
    onSubmit: (body) => call(decideClaim, { params: { id: ticket.id }, body }),
    refresh: changedByTickets,
    refreshOnError: changedByTickets,
    success: t(`tickets.decided.${decision}`),
    onSuccess: onClose,
    onError,
  })
  // Only paying the whole amount needs no reason.
  const required = (form.values.amountMinor ?? 0) < (claim?.claimedMinor ?? 0)
  const note = { ...form.field('note', t('tickets.claim.noteField')), required }
  return (
    <SaveDialog
      title={t(`tickets.decideTitle.${decision}`, { number: ticket.number })}
      onClose={onClose}
      save={t(`tickets.decide.${decision}`)}
      form={form}
      conflict={conflict}
    >
      {decision === 'accepted' && claim && (
        <MoneyField
          field={{ ...form.field('amountMinor', t('tickets.claim.pay')), required: true }}
          currency={claim.currency}
          help={t('tickets.claim.payHelp', { amount: format.money(claim.claimedMinor, claim.currency) })}
        />
      )}
      {decision === 'accepted' && claim?.reason === 'lost' && claim.parcelStatus !== 'lost' && (
        <Note>{t('tickets.claim.endsJourney')}</Note>
      )}
      <Textarea
        {...fieldProps(note)}
        value={note.value ?? ''}
        onChange={(event) => note.onChange(event.currentTarget.value)}
        autosize
        minRows={3}
        maxRows={10}
      />
    </SaveDialog>
  )
}
