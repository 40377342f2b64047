import { useNavigate, useSearch } from '@tanstack/react-router'
import { postcode } from '@waybill/contract/ground/fields'
import { weightGrams } from '@waybill/contract/ground/measures'
import { priceServices } from '@waybill/contract/pricing/pricing'
import { useEffect } from 'react'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { Grid, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { ApiError } from '../../../lib/api.ts'
import { newParcelPath, viaSignIn } from '../../../lib/browser/new-parcel-path.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { useDeployment } from '../../../lib/settings/deployment.ts'
import { loadOptions } from '../../../lib/settings/load.ts'
import { toPriceRequest, useDestinations } from './estimate.ts'
import { EstimateForm } from './estimate-form.tsx'
import { ServiceCard } from './service-card.tsx'

/**
 * `/public/prices`: every service for a parcel, from three fields. They are in the URL, so that a price can be shared.
 */
export function PricesPage() {
  const t = useT()
  const navigate = useNavigate()
  const { from = '', to = '', grams } = useSearch({ from: '/public/public/prices' })
  const home = useDeployment()?.countryCode
  // For signed-in users the portal's layout does this.
  useEffect(() => void loadOptions(), [])
  const { names, find } = useDestinations()
  const isComplete =
    postcode.safeParse(from).success && to !== '' && weightGrams.safeParse(grams).success && find !== null
  const destination = isComplete ? find(to) : null
  const request =
    destination && grams !== undefined && home ? toPriceRequest({ from, weightGrams: grams }, destination, home) : null
  const prices = useCall(
    priceServices,
    { body: request ?? toPriceRequest({ from: '', weightGrams: 1 }, { country: 'my', postcode: '' }, 'my') },
    { enabled: request !== null, staleTime: 60_000 },
  )
  const problem = prices.error instanceof ApiError ? prices.error.errors[0]?.message : undefined
  const items = prices.data?.items ?? []
  const signedIn = useSession((state) => state.tokens.access !== null)
  const typed = { from, grams, ...destination }
  return (
    <>
      <PageHeader title={t('home.priceTitle')} description={t('prices.lead')} />
      <Stack gap={24}>
        <Panel as="div">
          <EstimateForm
            key={`${from} ${to} ${grams}`}
            initial={{ from, to, weightGrams: grams ?? null }}
            countries={names}
            onSubmit={(estimate) =>
              navigate({
                to: '/public/prices',
                search: { from: estimate.from, to: estimate.to, grams: estimate.weightGrams },
                resetScroll: false,
              })
            }
          />
        </Panel>
        <div aria-live="polite">
          {request === null ? (
            <Note>{t('prices.needs')}</Note>
          ) : problem ? (
            <MessagePanel kind="empty" title={t('prices.none')} text={problem} />
          ) : prices.error ? (
            <ErrorPanel error={prices.error} retry={() => void prices.refetch()} />
          ) : prices.isPending ? (
            <Loading />
          ) : (
            <>
              <Grid as="ul" min={280} aria-label={t('prices.services')}>
                {items.map((quote) => (
                  <li key={quote.code} style={{ display: 'grid' }}>
                    <ServiceCard quote={quote} typed={typed} />
                  </li>
                ))}
              </Grid>
              {!signedIn && (
                <Note style={{ marginBlockStart: 16 }}>
                  {t('auth.haveAccount')}{' '}
                  <a href={viaSignIn('/login', newParcelPath({ ...typed, to: destination?.postcode }))}>
                    {t('auth.signIn')}
                  </a>
                </Note>
              )}
            </>
          )}
        </div>
      </Stack>
    </>
  )
}
