import { IconFileSpreadsheet } from '@tabler/icons-react'
import type { RateCard } from '@waybill/contract/pricing/rate-cards'
import type { ReactNode } from 'react'
import { ButtonLink, TextLink } from '../../../components/buttons/link.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { useT } from '../../../lib/i18n.ts'
import { CardState, useValidity } from './rate-cards.tsx'

/** The name of a version, with its state and validity. */
export function CardHeading({ card, actions }: { card: RateCard; actions: ReactNode }) {
  const t = useT()
  const validity = useValidity()
  const { name, state } = card
  return (
    <PageHeader
      title={t('ratesPage.cardName', { code: card.code, edition: card.edition })}
      description={
        <>
          <TextLink to="/staff/rates">{t('ratesPage.title')}</TextLink> · {name} · <CardState state={state} />{' '}
          {validity(card)}
        </>
      }
      actions={actions}
    />
  )
}

/** Export and import of the saved lines. */
export function SheetLink({ card }: { card: RateCard }) {
  const t = useT()
  return (
    <ButtonLink
      to="/staff/sheets/$kind"
      params={{ kind: 'rate-lines' }}
      search={{ card: card.id }}
      leftSection={<IconFileSpreadsheet size={18} aria-hidden />}
    >
      {t('sheets.open')}
    </ButtonLink>
  )
}
