import { useParams } from '@tanstack/react-router'
import { listMessages } from '@waybill/contract/chat/chat'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { Panel } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import { customerSide } from './shared/thread-side.ts'
import { ThreadView } from './shared/thread-view.tsx'
import { SubjectLink, useSubjectName } from './subject-link.tsx'

/** One thread of the account. */
export function ThreadPage() {
  const t = useT()
  const subjectName = useSubjectName()
  const mayWrite = useMay('support')
  const { id } = useParams({ from: '/portal/messages/$id' })
  const { data } = useCall(listMessages, { params: { id }, query: { limit: 1 } })
  return (
    <>
      <PageHeader
        title={data ? subjectName(data.thread) : t('chat.one')}
        description={data && <SubjectLink thread={data.thread} />}
        actions={<ButtonLink to="/messages">{t('chat.all')}</ButtonLink>}
      />
      <Panel style={{ maxWidth: 860 }}>
        <ThreadView id={id} side={customerSide} label={t('chat.title')} empty={t('chat.empty')} mayWrite={mayWrite} />
      </Panel>
    </>
  )
}
