import type { ChatThread } from '@waybill/contract/chat/chat'
import { TextLink } from '../../components/buttons/link.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'

type Props = { thread: Pick<ChatThread, 'id' | 'subject' | 'number'> }

/** The name of a thread's subject. */
export function useSubjectName() {
  const t = useT()
  const format = useFormat()
  return ({ subject, number }: Props['thread']) =>
    t(`chat.subject.${subject}`, { number: subject === 'parcel' ? format.trackingNumber(number) : number })
}

/** A link to the record that a thread is about. */
export function SubjectLink({ thread }: Props) {
  const t = useT()
  const text = t(`chat.open.${thread.subject}`)
  const params = { id: thread.id }
  if (thread.subject === 'order') {
    return (
      <TextLink to="/orders/$id" params={params}>
        {text}
      </TextLink>
    )
  }
  if (thread.subject === 'ticket') {
    return (
      <TextLink to="/tickets/$id" params={params}>
        {text}
      </TextLink>
    )
  }
  return (
    <TextLink to="/parcels/$id" params={params}>
      {text}
    </TextLink>
  )
}
