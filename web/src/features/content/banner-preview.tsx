import { bannerLink } from '@waybill/contract/content/banners'
import { intlLocale, type Locale, locales } from '@waybill/contract/ground/constants'
import { type BannerKind, bannerKindLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import { fillText } from '@waybill/contract/ground/language/texts'
import { useEffect, useState } from 'react'
import { Grid, Section, Stack } from '../../components/layout/boxes.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { useT } from '../../lib/i18n.ts'
import { BannerCard } from './shared/banner-card.tsx'

type LanguageTexts = { en: string | null; cn_zh: string | null }
type LinkTexts = { more: string; moreAt: string }

type Props = {
  kind: BannerKind
  title: LanguageTexts
  body: LanguageTexts
  imageUrl: string | null
  linkUrl: string | null
}

/** The banner of a form as customers see it, in each language. */
export function BannerPreview({ kind, title, body, imageUrl, linkUrl }: Props) {
  const t = useT()
  const linkTexts = useLinkTexts()
  return (
    <Section title={t('contentPage.preview')} aria-label={t('contentPage.preview')}>
      <Grid min={260} gap={12}>
        {locales.map((locale) => {
          const texts = linkTexts[locale]
          const banner = {
            kind,
            title: title[locale] || title.en || t('contentPage.noTitle'),
            body: body[locale] || body.en || null,
            imageUrl,
            // The URL may still be incomplete, or one that the server refuses.
            linkUrl: bannerLink.safeParse(linkUrl || null).data ?? null,
          }
          return (
            <Stack key={locale} gap={6}>
              <Quiet>{t(`contentPage.previewIn.${locale}`)}</Quiet>
              <div lang={intlLocale(locale)}>
                <BannerCard
                  banner={banner}
                  kindLabel={enumLabel(bannerKindLabels, kind, locale)}
                  linkLabel={(site) => (site ? fillText(texts?.moreAt ?? site, { site }) : (texts?.more ?? ''))}
                />
              </div>
            </Stack>
          )
        })}
      </Grid>
    </Section>
  )
}

/** The text of a banner's link in every language: the page itself has only one language loaded. */
function useLinkTexts(): Partial<Record<Locale, LinkTexts>> {
  const [linkTexts, setLinkTexts] = useState<Partial<Record<Locale, LinkTexts>>>({})
  useEffect(() => {
    for (const locale of locales)
      void fetch(`/locales/${locale}/global.json`)
        .then((response) => response.json())
        .then(({ dashboardPage }: { dashboardPage: LinkTexts }) =>
          setLinkTexts((present) => ({ ...present, [locale]: dashboardPage })),
        )
        .catch((error) => console.warn(`The texts in ${locale} could not be loaded.`, error))
  }, [])
  return linkTexts
}
