import type { AccountTerms } from '@waybill/contract/payments/account-overview'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'

/** Pricing and credit terms of an account, read-only; `only` one part of them. */
export function TermsFacts({ terms, only }: { terms: AccountTerms; only?: 'pricing' | 'credit' }) {
  const t = useT()
  const format = useFormat()
  const { pricing, credit, currency } = terms
  const { discount } = pricing
  const reduction =
    discount?.type === 'percentage' ? `${format.number(discount.value / 100)} %` : format.money(discount?.value ?? 0)
  return (
    <Facts>
      {only !== 'credit' && (
        <>
          <Fact label={t('fields.rateCardCode')}>{pricing.rateCardCode ?? t('ratesPage.commonCard')}</Fact>
          <Fact label={t('fields.discount')}>{discount ? reduction : t('ratesPage.noDiscount')}</Fact>
        </>
      )}
      {credit && only !== 'pricing' && (
        <>
          <Fact label={t('companies.limit')}>
            {credit.limitMinor === 0 ? t('companies.noCredit') : format.money(credit.limitMinor, currency)}
          </Fact>
          <Fact label={t('fields.termsDays')}>{t('companies.days', { count: credit.termsDays })}</Fact>
          <Fact label={t('terms.consent')}>
            {credit.consentVersion
              ? t('companies.consented', { version: credit.consentVersion })
              : t('companies.notConsented')}
          </Fact>
        </>
      )}
    </Facts>
  )
}
