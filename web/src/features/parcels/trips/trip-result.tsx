import type { TripDetail } from '@waybill/contract/parcels/transport/trips'
import { Panel, Stack } from '../../../components/layout/boxes.tsx'
import { getTone, Notice } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import { LoadRows } from './load-rows.tsx'

/** The result of a trip: complete, or each difference with its number. */
export function TripResult({ trip: { loads, missingCount, extraCount } }: { trip: TripDetail }) {
  const t = useT()
  const find = (name: TripDetail['loads'][number]['state']) => loads.filter(({ state }) => state === name)
  const isEven = missingCount + extraCount === 0
  const missing = find('missing')
  const text = isEven
    ? t('tripPage.resultEven')
    : missing.length > 0
      ? t('tripPage.resultMissing', { count: missing.length })
      : t(missingCount > 0 ? 'tripPage.resultFound' : 'tripPage.resultExtra')
  return (
    <div>
      <Notice as="div" size="lg" tone={getTone(missing.length === 0)} style={{ marginBlockStart: 0 }}>
        <b>{text}</b>
      </Notice>
      {loads.length > 0 && (
        <Panel>
          <Stack gap={24}>
            <LoadRows title={t('tripPage.missing')} loads={missing} />
            <LoadRows title={t('tripPage.state.found')} loads={find('found')} />
            <LoadRows title={t('tripPage.extra')} loads={find('extra')} />
            <LoadRows title={t('tripPage.arrivedTitle')} loads={find('arrived')} />
          </Stack>
        </Panel>
      )}
    </div>
  )
}
