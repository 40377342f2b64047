import { type ClaimState, claimReasonLabels } from '@waybill/contract/tickets/claims'
import { type DocumentKind, documentKindLabels, type Ticket, ticketKindLabels } from '@waybill/contract/tickets/tickets'
import type { ReactNode } from 'react'
import { Photos } from '../../components/display/photos.tsx'
import { Time } from '../../components/display/time.tsx'
import { LineList, Panel, Row, Stack } from '../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { Mono, Notice, Quiet, Tag } from '../../components/layout/text.tsx'
import { useFileAddress } from '../../lib/file-link.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { DeadlineText, TicketPill } from './ticket-look.tsx'

type Props = { ticket: Ticket; side: 'customer' | 'staff' }

/** The heading of a ticket's page. */
export function useTicketTitle() {
  const label = useLabel()
  return ({ title, kind }: Ticket) => title || label(ticketKindLabels, kind)
}

/** Status, deadline and text of a ticket. */
export function TicketState({ ticket, side }: Props) {
  return (
    <Panel>
      <Row gap="12px 16px" role="status">
        <TicketPill ticket={ticket} />
        <DeadlineText ticket={ticket} side={side} />
      </Row>
      <DecisionNote ticket={ticket} side={side} />
      <FoundNote ticket={ticket} side={side} />
      {ticket.description && (
        <p style={{ margin: 0, whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{ticket.description}</p>
      )}
    </Panel>
  )
}

const noteKeys = {
  documents: 'tickets.claim.request',
  submitted: 'tickets.claim.lastNote',
  withdrawn: 'tickets.claim.lastNote',
  paid: 'tickets.claim.note',
  refused: 'tickets.claim.note',
} as const satisfies Record<ClaimState, string>

/** What staff have last written about a claim: what they still need, or the reason for their decision. */
function DecisionNote({ ticket: { claim }, side }: Props) {
  const t = useT()
  if (!claim?.decisionNote) return null
  const isRefused = claim.state === 'refused'
  return (
    <Notice tone={isRefused ? 'danger' : claim.state === 'documents' ? 'waiting' : 'plain'}>
      {t(noteKeys[claim.state], { note: claim.decisionNote })}{' '}
      {isRefused && side === 'customer' && t('tickets.claim.disagree')}
    </Notice>
  )
}

/** That a parcel whose loss was paid has been found again. */
function FoundNote({ ticket: { claim }, side }: Props) {
  const t = useT()
  if (claim?.state !== 'paid' || claim.reason !== 'lost' || claim.parcelStatus === 'lost') return null
  return <Notice tone="waiting">{t(`tickets.claim.found.${side}`)}</Notice>
}

/** Kind, number, what the ticket is about, and who opened it when. `about`: a link to the parcel or order. */
export function TicketFacts({ ticket, about }: { ticket: Ticket; about?: ReactNode }) {
  const t = useT()
  const label = useLabel()
  return (
    <Facts>
      <Fact label={t('tickets.kind')}>{label(ticketKindLabels, ticket.kind)}</Fact>
      <Fact label={t('fields.number')}>
        <Mono>{ticket.number}</Mono>
      </Fact>
      {ticket.about && <Fact label={t(`tickets.about.${ticket.about.subject}`)}>{about}</Fact>}
      <Fact label={t('tickets.createdBy')}>{ticket.createdByName}</Fact>
      <Fact label={t('tickets.createdAt')}>
        <Time at={ticket.createdAt} relative={false} />
      </Fact>
    </Facts>
  )
}

/** The amounts claimed, insured and paid. */
export function ClaimFacts({ ticket }: { ticket: Ticket }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const { claim } = ticket
  if (!claim) return null
  const money = (minor: number) => format.money(minor, claim.currency)
  return (
    <Facts>
      <Fact label={t('tickets.claim.reason')}>{label(claimReasonLabels, claim.reason)}</Fact>
      <Fact label={t('fields.insuredValueMinor')}>{money(claim.insuredMinor)}</Fact>
      <Fact label={t('tickets.claim.amount')}>{money(claim.claimedMinor)}</Fact>
      {claim.paidMinor !== null && (
        <Fact total label={t('tickets.claim.paid')}>
          {money(claim.paidMinor)}
        </Fact>
      )}
    </Facts>
  )
}

type ChecklistProps = {
  ticket: Ticket
  /** A field for more files of a kind. */
  renderField?: (kind: DocumentKind) => ReactNode
}

/** The checklist: the requested documents and the files. */
export function Checklist({ ticket, renderField }: ChecklistProps) {
  const t = useT()
  const label = useLabel()
  const address = useFileAddress()
  return (
    <LineList>
      {ticket.documents.map(({ kind, required, files }) => {
        const isPicture = (mediaType: string | null) => mediaType?.startsWith('image/') ?? false
        const others = files.filter(({ mediaType }) => !isPicture(mediaType))
        return (
          <li key={kind}>
            <Stack gap={8} style={{ flex: 1 }}>
              <Row justify="between">
                <strong>{label(documentKindLabels, kind)}</strong>
                {files.length > 0 ? (
                  <Tag tone="success">{t('tickets.there')}</Tag>
                ) : (
                  required && <Tag tone="waiting">{t('tickets.required')}</Tag>
                )}
              </Row>
              <Photos
                photos={files.filter(({ mediaType }) => isPicture(mediaType))}
                alt={label(documentKindLabels, kind)}
              />
              {others.map((file) => (
                <a key={file.id} href={address(file.link)} target="_blank" rel="noreferrer">
                  {file.name}
                </a>
              ))}
              {files.length === 0 && !renderField && <Quiet>{t('tickets.nothingYet')}</Quiet>}
              {renderField?.(kind)}
            </Stack>
          </li>
        )
      })}
    </LineList>
  )
}
