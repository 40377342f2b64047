import type { ChatSide, ChatThread } from '@waybill/contract/chat/chat'
import { useT } from '../../lib/i18n.ts'

/** The beginning of a thread's last message, and its author. */
export function LastMessage({ thread, side }: { thread: ChatThread; side: ChatSide }) {
  const t = useT()
  const last = thread.lastMessage
  if (!last) return null
  const text = last.text.length > 90 ? `${last.text.slice(0, 90)}…` : last.text
  const files = last.files > 0 ? t('chat.files', { count: last.files }) : ''
  const content = [text, files].filter(Boolean).join(' · ')
  return (
    <span style={{ overflowWrap: 'anywhere' }}>{last.from === side ? t('chat.you', { text: content }) : content}</span>
  )
}
