import { Panel } from '../../components/layout/boxes.tsx'
import { useT } from '../../lib/i18n.ts'
import { useMay } from '../../lib/session.ts'
import { customerSide } from './shared/thread-side.ts'
import { ThreadView } from './shared/thread-view.tsx'

/** The thread of a parcel or an order, as a panel of its page. A separate bundle: loaded after the page. */
export function MessagesPanel({ id }: { id: string }) {
  const t = useT()
  const mayWrite = useMay('support')
  return (
    <Panel title={t('chat.title')}>
      <ThreadView id={id} side={customerSide} label={t('chat.title')} empty={t('chat.empty')} mayWrite={mayWrite} />
    </Panel>
  )
}
