import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { getAvailablePostcode } from '@waybill/contract/addresses/addresses'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { postcode } from '@waybill/contract/ground/fields'
import { publicNearby, type Station } from '@waybill/contract/stations/stations'
import { useState } from 'react'
import * as z from 'zod/mini'
import { TextField } from '../../components/fields/text-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { FieldRow, LineList, Panel } from '../../components/layout/boxes.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'

const oneField = z.object({ postcode })
const initial = { postcode: '' }
const nearest = 3

type Coverage = { postcode: string; coverage: ResponseOf<typeof getAvailablePostcode>; stations: readonly Station[] }

/** Whether a postcode is covered, and the stations next to it. */
export function CoverageBox() {
  const t = useT()
  const [result, setResult] = useState<Coverage | null>(null)
  const form = useContractForm({
    schema: oneField,
    initial,
    onSubmit: async ({ postcode: value }) => {
      const [coverage, { items }] = await Promise.all([
        call(getAvailablePostcode, { body: { postcode: value } }),
        call(publicNearby, { query: { near: value } }),
      ])
      setResult({ postcode: value, coverage, stations: items.slice(0, nearest) })
    },
  })
  return (
    <Panel aria-labelledby="coverage-title">
      <h2 id="coverage-title">{t('home.coverageTitle')}</h2>
      <FieldRow {...form.props} as="form">
        <TextField field={form.field('postcode')} inputMode="numeric" autoComplete="postal-code" withAsterisk={false} />
        <Button type="submit" loading={form.submitting}>
          {t('actions.coverageArea')}
        </Button>
      </FieldRow>
      <div aria-live="polite">{result && <Coverage {...result} />}</div>
      <Link to="/public/stations" search={result ? { near: result.postcode } : {}}>
        {t('home.allStations')}
      </Link>
    </Panel>
  )
}

function Coverage({ postcode, coverage, stations }: Coverage) {
  const t = useT()
  const format = useFormat()
  return (
    <>
      <p>
        {coverage.covered && coverage.station
          ? t('home.covered', { postcode: postcode, station: coverage.station.name })
          : t('home.notCovered', { postcode: postcode })}
      </p>
      {stations.length > 0 && (
        <LineList aria-label={t('home.nearest')}>
          {stations.map((station) => (
            <li key={station.id}>
              <div>
                <strong>{station.name}</strong>
                <Quiet as="div">
                  {station.line1}, {station.postcode} {station.city}
                </Quiet>
                <Quiet as="div">
                  {station.openNow ? t('home.openNow') : t('home.closedNow')} ·{' '}
                  <a href={`tel:${station.phone}`}>{station.phone}</a>
                </Quiet>
              </div>
              {station.distanceM !== null && (
                <Quiet as="div" inline>
                  {format.distance(station.distanceM)}
                </Quiet>
              )}
            </li>
          ))}
        </LineList>
      )}
    </>
  )
}
