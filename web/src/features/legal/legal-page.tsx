import { getLegalText, type LegalKind } from '@waybill/contract/legal/legal'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../components/feedback/message-panel.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { ApiError } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { LegalText } from './legal-text.tsx'

/** `/public/terms`. */
export function TermsPage() {
  return <LegalPage kind="terms" />
}

/** `/public/privacy`. */
export function PrivacyPage() {
  return <LegalPage kind="privacy" />
}

function LegalPage({ kind }: { kind: LegalKind }) {
  const t = useT()
  const format = useFormat()
  const answer = useCall(getLegalText, { params: { kind }, query: {} })
  const { data, error } = answer
  const isMissing = error instanceof ApiError && error.statusCode === 404
  return (
    <>
      <PageHeader
        title={t(`legal.${kind}`)}
        description={
          data && t('legal.version', { version: format.number(data.version), date: format.date(data.publishedAt) })
        }
      />
      {data ? (
        <LegalText text={data.text} />
      ) : isMissing ? (
        <MessagePanel kind="empty" title={t('legal.none')} text={t('legal.noneText')} />
      ) : error ? (
        <ErrorPanel error={error} retry={() => void answer.refetch()} />
      ) : (
        <Loading />
      )}
    </>
  )
}
