import { Button } from '@mantine/core'
import type { ChatMessage } from '@waybill/contract/chat/chat'
import { type ReactNode, useEffect, useRef } from 'react'
import { Photos } from '../../../components/display/photos.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { Buttons, Stack } from '../../../components/layout/boxes.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { useFileAddress } from '../../../lib/file-link.ts'
import { useT } from '../../../lib/i18n.ts'
import { currentView } from '../../../lib/view.ts'
import { Composer, type ComposerTool } from './composer.tsx'
import type { ThreadSide } from './thread-side.ts'
import classes from './thread-view.module.css'
import { useThread, useTyping } from './use-thread.ts'

type Props = {
  id: string
  side: ThreadSide
  /** The accessible name of the list of messages. */
  label: string
  /** Shown before the first message. */
  empty: ReactNode
  /** Next to the text of a new message: saved answers. */
  tool?: ComposerTool
  /** False: this user may read but not write. */
  mayWrite?: boolean
}

/** A thread: its messages, read mark, typing indicator, and the field for a new message. */
export function ThreadView({ id, side, label, empty, tool, mayWrite = true }: Props) {
  const t = useT()
  const { query, messages, thread, lastPosition } = useThread(side, id)
  const { typing, reportTyping } = useTyping(side, id, lastPosition)
  const log = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (lastPosition > 0) log.current?.scrollTo({ top: log.current.scrollHeight })
  }, [lastPosition])
  if (query.error && messages.length === 0) {
    return <ErrorPanel error={query.error} retry={() => void query.refetch()} />
  }
  if (!thread) return <Loading />
  const lastOwn = messages.findLast(({ from }) => from === side.by)
  return (
    <Stack gap={12}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable with the keyboard */}
      <div ref={log} className={classes.log} role="log" aria-label={label} tabIndex={0}>
        {query.hasNextPage && (
          <Buttons>
            <Button size="compact-sm" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {t('chat.older')}
            </Button>
          </Buttons>
        )}
        {messages.length === 0 && <Note>{empty}</Note>}
        {messages.map((message) => (
          <Message key={message.id} message={message} own={message.from === side.by} />
        ))}
        {lastOwn && lastOwn.position <= thread.readByOther && lastOwn.position === lastPosition && (
          <Quiet className={classes.seen}>{t('chat.seen')}</Quiet>
        )}
      </div>
      <div className={classes.typing} role="status">
        {typing && t(side.by === 'staff' ? 'chat.customerTyping' : 'chat.staffTyping')}
      </div>
      {mayWrite && !currentView && <Composer key={id} id={id} side={side} onTyping={reportTyping} tool={tool} />}
    </Stack>
  )
}

function Message({ message, own }: { message: ChatMessage; own: boolean }) {
  const t = useT()
  const address = useFileAddress()
  const pictures = message.files.filter(({ mediaType }) => mediaType?.startsWith('image/'))
  const others = message.files.filter(({ mediaType }) => !mediaType?.startsWith('image/'))
  return (
    <article className={classes.message} data-own={own}>
      <Quiet>
        <strong>{message.authorName ?? t('chat.courier')}</strong> · <Time at={message.at} relative={false} />
      </Quiet>
      {message.text && <p className={classes.text}>{message.text}</p>}
      <Photos photos={pictures} alt={(place) => pictures[place]?.name ?? ''} />
      {others.map((file) => (
        <a key={file.id} href={address(file.link)} target="_blank" rel="noreferrer">
          {file.name}
        </a>
      ))}
    </article>
  )
}
