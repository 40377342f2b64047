import { OnlyFor } from '../../components/access/only-for.tsx'
import { Stack } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { useT } from '../../lib/i18n.ts'
import { ApiKeysSection } from './api-keys-section.tsx'
import { WebhooksSection } from './webhooks-section.tsx'

/** For the account's own programs: API keys, webhooks, and the description of the API. */
export function DevelopersPage() {
  const t = useT()
  return (
    <OnlyFor rule="account.owner" title={t('developers.title')}>
      <PageHeader
        title={t('developers.title')}
        description={t('developers.lead')}
        actions={
          <a href="/api/docs" target="_blank" rel="noreferrer">
            {t('developers.reference')}
          </a>
        }
      />
      <Stack gap={40}>
        <ApiKeysSection />
        <WebhooksSection />
      </Stack>
    </OnlyFor>
  )
}
