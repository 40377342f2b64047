import { Button, Textarea } from '@mantine/core'
import { longestMessage, maxMessageFiles } from '@waybill/contract/chat/chat'
import { type ReactNode, useRef, useState } from 'react'
import { notify } from '../../../components/feedback/notify.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, Stack } from '../../../components/layout/boxes.tsx'
import { usePhone } from '../../../lib/browser/use-media.ts'
import { useKept } from '../../../lib/browser/user-storage.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { type Photo, PhotoField } from '../../attachments/shared/photo-field.tsx'
import type { MessageContent, ThreadSide } from './thread-side.ts'

/** A tool next to the field that adds a text to it. */
export type ComposerTool = (add: (text: string) => void) => ReactNode

type Props = { id: string; side: ThreadSide; onTyping: () => void; tool?: ComposerTool | undefined }

/** The field for a new message with its pictures. Ctrl+Enter sends it. An unsent text survives a reload. */
export function Composer({ id, side, onTyping, tool }: Props) {
  const t = useT()
  const callOnce = useCallOnce()
  const isPhone = usePhone()
  const [text, setText] = useKept(`chat-${id}`, '')
  const [photos, setPhotos] = useState<readonly Photo[]>([])
  const [busy, setBusy] = useState(false)
  const [isEmpty, setEmpty] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const sending = useSend((content: MessageContent) => side.send(callOnce, id, content), {
    refresh: side.refresh,
    // What the user has added meanwhile stays.
    onSuccess: (_, content) => {
      setText((present) => present.replace(content.text, '').trimStart())
      setPhotos((present) => present.filter((photo) => !content.attachmentIds.includes(photo.id)))
    },
  })
  function submit() {
    const content = { text: text.trim(), attachmentIds: photos.map((photo) => photo.id) }
    if (busy) notify.warning(t('chat.uploading'))
    else if (content.text === '' && content.attachmentIds.length === 0) {
      setEmpty(true)
      field.current?.focus()
    } else void sending.send(content)
  }
  return (
    <Stack
      as="form"
      gap={12}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Textarea
        ref={field}
        error={isEmpty && t('chat.nothing')}
        label={t('chat.message')}
        description={isPhone ? undefined : t('chat.sendHint')}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={longestMessage}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setEmpty(false)
          onTyping()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          submit()
        }}
      />
      {tool?.((addition) => setText((present) => (present.trim() === '' ? addition : `${present}\n${addition}`)))}
      <PhotoField
        label={t('chat.photos')}
        purpose="message"
        value={photos}
        onChange={setPhotos}
        onBusy={setBusy}
        most={maxMessageFiles}
      />
      <Buttons>
        {/* On the page of a parcel or an order it becomes the main action only while the user writes. */}
        <Button type="submit" variant={text.trim() === '' ? 'default' : 'filled'} loading={sending.pending}>
          {t('chat.send')}
        </Button>
      </Buttons>
    </Stack>
  )
}
