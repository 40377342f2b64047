import { Button, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { type ClaimReason, claimReasonLabels } from '@waybill/contract/tickets/claims'
import { claimOptions, createClaim, documentKindLabels } from '@waybill/contract/tickets/tickets'
import { useState } from 'react'
import { TextLink } from '../../components/buttons/link.tsx'
import { SaveDialog } from '../../components/feedback/save-dialog.tsx'
import { MoneyField } from '../../components/fields/measure-field.tsx'
import { SelectField } from '../../components/fields/select-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { fieldProps } from '../../components/form/field-props.ts'
import { Buttons, Panel } from '../../components/layout/boxes.tsx'
import { ErrorText, Note } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCallOnce } from '../../lib/once.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import { currentView } from '../../lib/view.ts'
import { changedByTickets } from './changed-by-tickets.ts'
import { DocumentField, type Documents, toDocuments, useRunningUploads } from './document-form.tsx'

type Options = ResponseOf<typeof claimOptions>

/** The possible claim of an insured parcel, or its existing claim. Hidden for other parcels. */
export function ClaimPanel({ parcelId }: { parcelId: string }) {
  const { data } = useCall(claimOptions, { params: { id: parcelId } })
  /** The options of the open dialog: it stays, with its text, when a colleague claims for the parcel meanwhile. */
  const [claiming, setClaiming] = useState<Options | null>(null)
  if (!data) return null
  return (
    <>
      <ClaimState data={data} onClaim={() => setClaiming(data)} />
      {claiming && <ClaimDialog parcelId={parcelId} options={claiming} onClose={() => setClaiming(null)} />}
    </>
  )
}

function ClaimState({ data, onClaim }: { data: Options; onClaim: () => void }) {
  const t = useT()
  const format = useFormat()
  const mayClaim = useMay('parcels.settle') && !currentView
  if (data.ticketId) {
    return (
      <Panel title={t('tickets.claim.title')}>
        <TextLink to="/tickets/$id" params={{ id: data.ticketId }}>
          {t('tickets.claim.open')}
        </TextLink>
      </Panel>
    )
  }
  if (data.closed || data.insuredMinor === null || !mayClaim) return null
  return (
    <Panel title={t('tickets.claim.title')}>
      <Note>{t('tickets.claim.lead', { amount: format.money(data.insuredMinor, data.currency) })}</Note>
      <Buttons>
        <Button onClick={onClaim}>{t('tickets.claim.make')}</Button>
      </Buttons>
    </Panel>
  )
}

type Values = {
  parcelId: string
  reason: ClaimReason
  amountMinor: number | null
  description: string
  documents: ReturnType<typeof toDocuments>
}

function ClaimDialog({ parcelId, options, onClose }: { parcelId: string; options: Options; onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const navigate = useNavigate()
  const callOnce = useCallOnce()
  const [documents, setDocuments] = useState<Documents>({})
  const { busy, onBusy } = useRunningUploads()
  const form = useContractForm<typeof createClaim.body, Values, { id: string; number: string }>({
    schema: createClaim.body,
    initial: {
      parcelId,
      reason: options.reasons[0]?.reason ?? 'lost',
      amountMinor: options.insuredMinor,
      description: '',
      documents: [],
    },
    prepare: (values) => {
      const kinds = new Set<string>(listLines(options, values.reason).map(({ kind }) => kind))
      return { ...values, documents: toDocuments(documents).filter(({ kind }) => kinds.has(kind)) }
    },
    onSubmit: (body) => callOnce(createClaim, { body }),
    refresh: changedByTickets,
    success: ({ number }) => t('tickets.opened', { number }),
    onSuccess: ({ id }) => navigate({ to: '/tickets/$id', params: { id } }),
  })
  const reason = form.field('reason', t('tickets.claim.reason'))
  const description = form.field('description', t('tickets.claim.description'))
  const problem = form.field('documents').error
  return (
    <SaveDialog
      title={t('tickets.claim.make')}
      shape="wide"
      onClose={onClose}
      save={t('tickets.send')}
      form={{ ...form, submitting: form.submitting || busy }}
    >
      <SelectField
        field={reason}
        choices={options.reasons.map((each) => ({ value: each.reason, label: label(claimReasonLabels, each.reason) }))}
      />
      <MoneyField
        field={form.field('amountMinor', t('tickets.claim.amount'))}
        currency={options.currency}
        help={t('tickets.claim.most', { amount: format.money(options.insuredMinor ?? 0, options.currency) })}
      />
      <Textarea
        {...fieldProps(description)}
        value={description.value}
        onChange={(event) => description.onChange(event.currentTarget.value)}
        autosize
        minRows={3}
        maxRows={12}
      />
      <Note>{t('tickets.claim.documents')}</Note>
      {listLines(options, reason.value).map(({ kind, required }) => {
        const name = label(documentKindLabels, kind)
        return (
          <DocumentField
            key={kind}
            kind={kind}
            label={required ? t('tickets.requiredDocument', { name }) : name}
            value={documents}
            onChange={setDocuments}
            onBusy={onBusy}
          />
        )
      })}
      {problem && <ErrorText role="alert">{problem}</ErrorText>}
    </SaveDialog>
  )
}

const listLines = (options: Options, reason: ClaimReason) =>
  options.reasons.find((each) => each.reason === reason)?.documents ?? []
