import { Button } from '@mantine/core'
import { deletePhoto, putPhoto } from '@waybill/contract/accounts/profile'
import { getProfile, type SessionUser } from '@waybill/contract/accounts/sign-in'
import { createAttachment } from '@waybill/contract/attachments/attachments'
import { useRef } from 'react'
import { Avatar } from '../../../components/display/avatar.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, Panel, Row } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { call, callWithForm } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { loadProfile } from '../../../lib/settings/load.ts'

/** The user's photo: upload, replace and remove. The server crops it to a square. */
export function PhotoSection({ user }: { user: SessionUser }) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const choose = useRef<HTMLButtonElement>(null)
  const upload = useSend(
    async (file: File) => {
      const form = new FormData()
      form.set('purpose', 'profile_photo')
      form.set('file', file, file.name)
      const { id } = await callWithForm(createAttachment, { form })
      await call(putPhoto, { body: { attachmentId: id } })
      await loadProfile()
    },
    { refresh: [getProfile], success: t('profile.photoSaved') },
  )
  const remove = useSend(
    async () => {
      await call(deletePhoto)
      await loadProfile()
    },
    {
      confirm: {
        title: t('profile.photoRemoveTitle'),
        message: t('profile.photoRemoveText'),
        action: t('profile.photoRemove'),
      },
      refresh: [getProfile],
      success: t('profile.photoRemoved'),
      // Its button is gone with the photo.
      onSuccess: () => choose.current?.focus(),
    },
  )
  return (
    <Panel style={{ maxWidth: 800 }} title={t('profile.photo')}>
      <Row gap={16}>
        <Avatar name={user.name} photo={user.photoUrl} size={72} />
        <div>
          <Buttons>
            <Button ref={choose} loading={upload.pending} onClick={() => input.current?.click()}>
              {t(user.photoUrl ? 'profile.photoReplace' : 'profile.photoChoose')}
            </Button>
            {user.photoUrl && (
              <Button variant="subtle" color="gray" loading={remove.pending} onClick={() => void remove.send()}>
                {t('profile.photoRemove')}
              </Button>
            )}
          </Buttons>
          <Note style={{ marginBlockStart: 8 }}>{t('profile.photoHint')}</Note>
        </div>
      </Row>
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/gif"
        aria-label={t('profile.photo')}
        hidden
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          // The same file may be chosen again after an error.
          event.currentTarget.value = ''
          if (file) void upload.send(file)
        }}
      />
    </Panel>
  )
}
