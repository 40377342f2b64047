import { Grid } from '../../components/layout/boxes.tsx'
import { useAppName, useTitle } from '../../lib/browser/title.ts'
import { useT } from '../../lib/i18n.ts'
import { CoverageBox } from './coverage-box.tsx'
import classes from './home.module.css'
import { PriceBox } from './price-box.tsx'
import { ServicesSection } from './services-section.tsx'
import { TrackBox } from './track-box.tsx'

/** `/`: the public home page. Tracking, prices and coverage without an account. */
export function HomePage() {
  const t = useT()
  const name = useAppName()
  useTitle('')
  return (
    <>
      <section className={classes.hero}>
        <h1 tabIndex={-1} data-page-title>
          {t('home.title')}
        </h1>
        <p className={classes.lead}>{t('home.lead', { name })}</p>
        <TrackBox />
      </section>
      <Grid min={360} gap={24}>
        <PriceBox />
        <CoverageBox />
      </Grid>
      <ServicesSection />
    </>
  )
}
