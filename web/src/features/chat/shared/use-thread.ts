import { useInfiniteQuery } from '@tanstack/react-query'
import type { MessagePage } from '@waybill/contract/chat/chat'
import type { ChatEvent } from '@waybill/contract/tracking/account-events'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLiveSignal } from '../../../lib/live-signals.ts'
import { endpointKey } from '../../../lib/refresh-answers.ts'
import { currentView } from '../../../lib/view.ts'
import type { ThreadSide } from './thread-side.ts'

/**
 * The messages of a thread, oldest first, with older pages on demand. A live event refetches all pages, each by the
 * key that the previous one returns, so that no message is lost between two pages.
 */
export function useThread(side: ThreadSide, id: string) {
  const query = useInfiniteQuery({
    queryKey: [...endpointKey(side.messages), 'pages', id],
    queryFn: ({ pageParam, signal }) => side.page(id, pageParam, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page: MessagePage) => page.before ?? undefined,
  })
  const pages = query.data?.pages ?? []
  const latest = pages[0]
  const messages = pages.toReversed().flatMap(({ items }) => items)
  const lastPosition = messages.at(-1)?.position ?? 0
  const unread = latest?.thread.unread ?? 0
  const markRead = useEffectEvent(() => {
    // A view by staff must not move the read mark. If the request fails, the next message repeats it.
    if (unread > 0 && !currentView) void side.read(id, lastPosition).catch(() => undefined)
  })
  useEffect(() => {
    if (lastPosition > 0) markRead()
  }, [lastPosition])
  return { query, messages, thread: latest?.thread, lastPosition }
}

const typingShownMs = 5_000
const typingSentMs = 3_000

/** Whether the other side is typing, and a function that announces that this side is. */
export function useTyping(side: ThreadSide, id: string, lastPosition: number) {
  const [typing, setTyping] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sentAt = useRef(0)
  useLiveSignal<Extract<ChatEvent, { type: 'chat_typing' }>>('chat_typing', ({ threadId, by }) => {
    if (threadId !== id || by === side.by) return
    setTyping(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setTyping(false), typingShownMs)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const [position, setPosition] = useState(lastPosition)
  // The announced message has arrived.
  if (position !== lastPosition) {
    setPosition(lastPosition)
    setTyping(false)
  }
  function reportTyping() {
    if (Date.now() - sentAt.current < typingSentMs) return
    sentAt.current = Date.now()
    void side.typing(id).catch(() => undefined)
  }
  return { typing, reportTyping }
}
