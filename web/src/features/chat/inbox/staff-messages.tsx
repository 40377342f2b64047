import { Panel } from '../../../components/layout/boxes.tsx'
import { useT } from '../../../lib/i18n.ts'
import { staffSide } from '../shared/thread-side.ts'
import { ThreadView } from '../shared/thread-view.tsx'
import { AnswerPicker } from './answer-picker.tsx'

/** A thread as staff see it, with saved answers. */
export function StaffMessages({ id }: { id: string }) {
  const t = useT()
  return (
    <Panel title={t('chat.title')}>
      <ThreadView
        id={id}
        side={staffSide}
        label={t('chat.title')}
        empty={t('inbox.empty')}
        tool={(add) => <AnswerPicker onPick={add} />}
      />
    </Panel>
  )
}
