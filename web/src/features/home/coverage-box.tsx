import { Button } from '@mantine/core'
import { getAvailablePostcode } from '@waybill/contract/addresses/addresses'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { postcode } from '@waybill/contract/ground/fields'
import { publicNearby, type Station } from '@waybill/contract/stations/stations'
import { useState } from 'react'
import * as z from 'zod/mini'
import { useContractForm } from '../../components/form/contract-form.ts'
import { TextField } from '../../components/form/text-field.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import classes from './home.module.css'

const oneField = z.object({ postcode })
const initial = { postcode: '' }
const nearest = 3

type Found = { asked: string; coverage: ResponseOf<typeof getAvailablePostcode>; stations: readonly Station[] }

/** Whether a postcode is covered, and the stations next to it. */
export function CoverageBox() {
  const t = useT()
  const [found, setFound] = useState<Found | null>(null)
  const form = useContractForm({
    schema: oneField,
    initial,
    onSubmit: async ({ postcode: asked }) => {
      const [coverage, { items }] = await Promise.all([
        call(getAvailablePostcode, { body: { postcode: asked } }),
        call(publicNearby, { query: { near: asked } }),
      ])
      setFound({ asked, coverage, stations: items.slice(0, nearest) })
    },
  })
  return (
    <section className={classes.box} aria-labelledby="coverage-title">
      <h2 id="coverage-title">{t('home.coverageTitle')}</h2>
      <form {...form.props} className={classes.one}>
        <TextField field={form.field('postcode')} inputMode="numeric" autoComplete="postal-code" withAsterisk={false} />
        <Button type="submit" loading={form.submitting}>
          {t('actions.coverageArea')}
        </Button>
      </form>
      <div aria-live="polite">{found && <Coverage {...found} />}</div>
    </section>
  )
}

function Coverage({ asked, coverage, stations }: Found) {
  const t = useT()
  const format = useFormat()
  return (
    <>
      <p className={classes.answer}>
        {coverage.covered && coverage.station
          ? t('home.covered', { postcode: asked, station: coverage.station.name })
          : t('home.notCovered', { postcode: asked })}
      </p>
      {stations.length > 0 && (
        <ul className={classes.quotes} aria-label={t('home.nearest')}>
          {stations.map((station) => (
            <li key={station.id}>
              <div>
                <div className={classes.strong}>{station.name}</div>
                <div className={classes.quiet}>
                  {station.line1}, {station.postcode} {station.city}
                </div>
                <div className={classes.quiet}>
                  {station.openNow ? t('home.openNow') : t('home.closedNow')} ·{' '}
                  <a href={`tel:${station.phone}`}>{station.phone}</a>
                </div>
              </div>
              {station.distanceM !== null && (
                <div className={classes.distance}>{format.distance(station.distanceM)}</div>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
