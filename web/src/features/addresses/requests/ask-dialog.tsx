import { Button } from '@mantine/core'
import { IconShare } from '@tabler/icons-react'
import { createAddressRequest, listAddressRequests } from '@waybill/contract/addresses/requests'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { useState } from 'react'
import { CopyNumber } from '../../../components/display/copy-number.tsx'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Note, Notice } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'

type Link = ResponseOf<typeof createAddressRequest>
type Values = { label: string | null; email: string | null }

/** Creates a link with which a receiver enters their address. The link is shown only here, to copy or to share. */
export function AskDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const language = useLanguage()
  const callOnce = useCallOnce()
  const [link, setLink] = useState<Link | null>(null)
  const form = useContractForm<NonNullable<typeof createAddressRequest.body>, Values, Link>({
    schema: createAddressRequest.body,
    initial: { label: null, email: null },
    prepare: ({ label, email }) => ({ label, email: email?.trim() ? email : null, language }),
    onSubmit: (body) => callOnce(createAddressRequest, { body }),
    refresh: [listAddressRequests],
    onSuccess: setLink,
  })
  if (link) return <LinkDialog link={link} onClose={onClose} />
  return (
    <SaveDialog title={t('addressLinks.create')} form={form} onClose={onClose} save={t('addressLinks.make')}>
      <Note>{t('addressLinks.lead')}</Note>
      <TextField field={form.field('label')} autoComplete="off" help={t('addressLinks.labelHelp')} autoFocus />
      <TextField field={form.field('email')} type="email" autoComplete="off" help={t('addressLinks.emailHelp')} />
    </SaveDialog>
  )
}

function LinkDialog({ link: { url, request }, onClose }: { link: Link; onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const canShare = typeof navigator.share === 'function'
  return (
    <Dialog title={t('addressLinks.ready')} onClose={onClose}>
      {request.email && <Notice tone="success">{t('addressLinks.mailed', { email: request.email })}</Notice>}
      <p style={{ overflowWrap: 'anywhere' }}>
        <CopyNumber value={url} />
      </p>
      <Note>{t('addressLinks.once', { until: format.dateTime(request.expiresAt) })}</Note>
      <DialogFoot>
        {canShare && (
          <Button
            leftSection={<IconShare size={18} aria-hidden />}
            // Closing the share sheet rejects; nothing needs to be done.
            onClick={() => void navigator.share({ url, text: t('addressLinks.shareText') }).catch(() => {})}
          >
            {t('addressLinks.share')}
          </Button>
        )}
        <Button variant="filled" data-autofocus onClick={onClose}>
          {t('actions.close')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
