import { Button } from '@mantine/core'
import { IconCurrentLocation } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { getAvailablePostcode } from '@waybill/contract/addresses/addresses'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { postcode } from '@waybill/contract/ground/fields'
import { publicNearby, type Station } from '@waybill/contract/stations/stations'
import { useState } from 'react'
import * as z from 'zod/mini'
import { PhoneLink } from '../../components/display/phone-link.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { TextField } from '../../components/fields/text-field.tsx'
import { useContractForm } from '../../components/form/contract-form.ts'
import { FieldRow, LineList, Panel } from '../../components/layout/boxes.tsx'
import { ErrorText, Quiet } from '../../components/layout/text.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useOpenState } from '../stations/shared/open-state.ts'
import { useLocation } from '../stations/shared/use-location.ts'

const oneField = z.object({ postcode })
const initial = { postcode: '' }
const nearest = 3

/** `postcode` and `coverage` are null for the browser's location. */
type Coverage = {
  postcode: string | null
  coverage: ResponseOf<typeof getAvailablePostcode> | null
  stations: readonly Station[]
}

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
  const nearby = useSend(async (point: string) => {
    const { items } = await call(publicNearby, { query: { near: point } })
    setResult({ postcode: null, coverage: null, stations: items.slice(0, nearest) })
  })
  const location = useLocation((point) => void nearby.send(point))
  return (
    <Panel aria-labelledby="coverage-title">
      <h2 id="coverage-title">{t('home.coverageTitle')}</h2>
      <FieldRow {...form.props} as="form">
        <TextField field={form.field('postcode')} inputMode="numeric" autoComplete="postal-code" withAsterisk={false} />
        <Button type="submit" loading={form.submitting}>
          {t('actions.coverageArea')}
        </Button>
      </FieldRow>
      <div>
        <Button
          leftSection={<IconCurrentLocation size={18} aria-hidden />}
          loading={location.locating || nearby.pending}
          onClick={location.locate}
        >
          {t('stations.nearMe')}
        </Button>
      </div>
      <div role="status">{location.problem && <ErrorText>{t(`stations.location.${location.problem}`)}</ErrorText>}</div>
      <div aria-live="polite">{result && <Coverage {...result} />}</div>
      <Link to="/public/stations" search={result?.postcode ? { near: result.postcode } : {}}>
        {t('home.allStations')}
      </Link>
    </Panel>
  )
}

function Coverage({ postcode, coverage, stations }: Coverage) {
  const t = useT()
  const format = useFormat()
  const openState = useOpenState()
  return (
    <>
      <p>
        {!coverage || postcode === null
          ? t('home.nearYou')
          : coverage.covered && coverage.station
            ? t('home.covered', { postcode, station: coverage.station.name })
            : t('home.notCovered', { postcode })}
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
                  {openState(station)} · <PhoneLink phone={station.phone} />
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
