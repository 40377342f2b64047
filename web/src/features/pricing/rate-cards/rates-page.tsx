import { Link, useSearch } from '@tanstack/react-router'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { TabBar } from '../../../components/layout/tabs.tsx'
import { useT } from '../../../lib/i18n.ts'
import { AccountConditionsTab } from './account-conditions.tsx'
import { NewCardButton } from './new-card.tsx'
import { RateCardsTab } from './rate-cards.tsx'
import { ServicesTab } from './services.tsx'

const tabs = [
  { id: 'cards', Content: RateCardsTab },
  { id: 'services', Content: ServicesTab },
  { id: 'accounts', Content: AccountConditionsTab },
] as const

/** Pricing: rate cards, services, and the conditions of individual accounts. */
export function RatesPage() {
  const t = useT()
  const { view } = useSearch({ from: '/staff/staff/rates' })
  const present = tabs.find(({ id }) => id === view) ?? tabs[0]
  const { Content } = present
  return (
    <>
      <PageHeader title={t('ratesPage.title')} actions={present.id === 'cards' && <NewCardButton />} />
      <TabBar label={t('list.tabs')}>
        {tabs.map(({ id }) => (
          <Link
            key={id}
            to="/staff/rates"
            search={{ view: id }}
            activeOptions={{ includeSearch: true }}
            aria-current={id === present.id ? 'page' : undefined}
          >
            {t(`ratesPage.tab.${id}`)}
          </Link>
        ))}
      </TabBar>
      <Content key={present.id} />
    </>
  )
}
