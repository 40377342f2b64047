import { MessagePanel } from '../components/message-panel.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { PublicFrame } from '../components/public-frame.tsx'
import { useT } from '../lib/i18n.ts'

export function NotFoundPage() {
  const t = useT()
  return (
    <PublicFrame>
      <PageHeader title={t('app.notFound')} />
      <MessagePanel
        kind="empty"
        title={t('app.notFoundTitle')}
        text={t('app.notFoundText')}
        action={<a href="/">{t('app.toStart')}</a>}
      />
    </PublicFrame>
  )
}
