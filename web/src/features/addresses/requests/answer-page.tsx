import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { answerAddressRequest, getPublicAddressRequest } from '@waybill/contract/addresses/requests'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { useEffect, useState } from 'react'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { ApiError, call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { loadOptions } from '../../../lib/settings/load.ts'
import { PartyFields } from '../shared/party-fields.tsx'
import { emptyParty, type PartyFieldOf, type PartyValues, toPartyInput } from '../shared/party-values.ts'
import { useOverride } from '../shared/use-override.ts'

/** Errors for which a retry does not help. */
const deadLinks = ['link_invalid', 'address_link_used', 'address_link_expired', 'address_link_withdrawn']

/** A receiver enters their own address, without sign-in, through a sender's link. */
export function AnswerAddressPage() {
  const t = useT()
  const { token } = useParams({ from: '/public/public/address/$token' })
  const answer = useCall(getPublicAddressRequest, { params: { token } }, { staleTime: 0 })
  const [isSent, setIsSent] = useState(false)
  // For signed-in users the portal's layout does this.
  useEffect(() => void loadOptions(), [])
  const { error, data } = answer
  if (isSent) {
    return (
      <>
        <PageHeader title={t('addressAnswer.title')} />
        <MessagePanel
          kind="done"
          title={t('addressAnswer.sent')}
          text={t('addressAnswer.sentText', { sender: data?.senderName ?? '' })}
        />
      </>
    )
  }
  if (data) return <AnswerForm token={token} request={data} onSent={() => setIsSent(true)} />
  const isDead = error instanceof ApiError && deadLinks.includes(error.code)
  return (
    <>
      <PageHeader title={t('addressAnswer.title')} />
      {isDead ? (
        <MessagePanel
          kind="empty"
          title={t('addressAnswer.dead')}
          text={error.code === 'link_invalid' ? t('addressAnswer.deadText') : error.message}
        />
      ) : error ? (
        <ErrorPanel error={error} retry={() => void answer.refetch()} />
      ) : (
        <Loading />
      )}
    </>
  )
}

type FormProps = { token: string; request: ResponseOf<typeof getPublicAddressRequest>; onSent: () => void }

function AnswerForm({ token, request, onSent }: FormProps) {
  const t = useT()
  const format = useFormat()
  const { save: saveOverriding } = useOverride({
    text: t('addressAnswer.overrideText'),
    action: t('addressAnswer.sendAnyway'),
  })
  const form = useContractForm<NonNullable<typeof answerAddressRequest.body>, PartyValues>({
    schema: answerAddressRequest.body,
    initial: emptyParty(request.country),
    prepare: toPartyInput,
    onSubmit: (body) =>
      saveOverriding((override) => call(answerAddressRequest, { params: { token }, body: { ...body, override } })),
    onSuccess: onSent,
  })
  return (
    <>
      <PageHeader title={t('addressAnswer.title')} />
      <Stack {...form.props} as="form" gap={20}>
        <p>{t('addressAnswer.lead', { sender: request.senderName })}</p>
        <PartyFields field={form.field as unknown as PartyFieldOf} own countries="all" />
        <Button type="submit" variant="filled" size="md" loading={form.submitting}>
          {t('addressAnswer.send')}
        </Button>
        <Note>
          {t('addressAnswer.privacy', { sender: request.senderName, until: format.dateTime(request.expiresAt) })}
        </Note>
      </Stack>
    </>
  )
}
