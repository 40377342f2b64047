import { Button } from '@mantine/core'
import { listMembers } from '@waybill/contract/accounts/company'
import {
  acceptOwnership,
  declineOwnership,
  getOwnershipOffer,
  type OwnershipOffer,
  offerOwnership,
  ownershipOfferDays,
  withdrawOwnership,
} from '@waybill/contract/accounts/ownership'
import { useState } from 'react'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Buttons, Panel, Row } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'
import { emptyProof, ProofField, useReadProof } from '../shared/proof-field.tsx'

const stale = [getOwnershipOffer]

/**
 * Ownership transfer: the owner offers the company and may withdraw, the member accepts or declines. Renders nothing
 * for members without an offer.
 */
export function OwnershipCard() {
  const t = useT()
  const isOwner = useMay('corporate.owner')
  const { data } = useCall(getOwnershipOffer, {})
  const [open, setOpen] = useState(false)
  if (!data) return null
  if (data.offer) return <OpenOffer offer={data.offer} />
  if (!isOwner) return null
  return (
    <Panel aria-label={t('ownership.title')} style={{ marginBlockEnd: 24 }}>
      <Row justify="between">
        <div>
          <h2>{t('ownership.title')}</h2>
          <Note>{t('ownership.lead')}</Note>
        </div>
        <Button onClick={() => setOpen(true)}>{t('ownership.handOver')}</Button>
      </Row>
      {open && <OfferDialog onClose={() => setOpen(false)} />}
    </Panel>
  )
}

function OpenOffer({ offer }: { offer: OwnershipOffer }) {
  const t = useT()
  const format = useFormat()
  const params = { id: offer.id }
  const accept = useSend(() => call(acceptOwnership, { params }), {
    confirm: {
      title: t('ownership.acceptTitle'),
      message: t('ownership.acceptText', { name: offer.from.name }),
      action: t('ownership.accept'),
    },
    // The permissions of this session have changed, so everything is reloaded.
    onSuccess: () => location.reload(),
    refreshOnError: stale,
  })
  const end = useSend(() => call(offer.toYou ? declineOwnership : withdrawOwnership, { params }), {
    refresh: stale,
    refreshOnError: stale,
    success: t(offer.toYou ? 'ownership.declined' : 'ownership.withdrawn'),
  })
  const busy = accept.pending || end.pending
  return (
    <Panel aria-label={t('ownership.title')} style={{ marginBlockEnd: 24 }}>
      <Row justify="between">
        <div>
          <h2>{t('ownership.title')}</h2>
          <Note>
            {t(offer.toYou ? 'ownership.offeredToYou' : 'ownership.offeredByYou', {
              from: offer.from.name,
              to: offer.to.name,
              until: format.dateTime(offer.expiresAt),
            })}
          </Note>
        </div>
        <Buttons>
          <Button disabled={busy} onClick={() => void end.send()}>
            {t(offer.toYou ? 'ownership.decline' : 'ownership.withdraw')}
          </Button>
          {offer.toYou && (
            <Button variant="filled" disabled={busy} onClick={() => void accept.send()}>
              {t('ownership.accept')}
            </Button>
          )}
        </Buttons>
      </Row>
    </Panel>
  )
}

function OfferDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const members = useCall(listMembers, { query: { limit: 200, tab: 'active' } }).data?.items ?? []
  const choices = members
    .filter(({ isOwner, invited }) => !isOwner && !invited)
    .map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))
  const readProof = useReadProof()
  const form = useContractForm({
    schema: offerOwnership.body,
    initial: { memberId: null as string | null, ...emptyProof },
    prepare: ({ memberId, ...proof }) => ({ memberId, ...readProof(proof) }),
    onSubmit: (body) => call(offerOwnership, { body }),
    refresh: stale,
    refreshOnError: stale,
    success: t('ownership.offered'),
    onSuccess: onClose,
  })
  return (
    <SaveDialog title={t('ownership.title')} onClose={onClose} form={form} save={t('ownership.offer')}>
      <Note>{t('ownership.explained', { days: ownershipOfferDays })}</Note>
      <SelectField field={form.field('memberId', t('ownership.member'))} choices={choices} />
      <ProofField form={form} step="offer_ownership" />
    </SaveDialog>
  )
}
