import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { GunnyCheck } from '@waybill/contract/parcels/gunny'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Row, Stack } from '../../../components/layout/boxes.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import classes from './gunny.module.css'

/** The counts of a gunny, latest first: expected and scanned parcels, and the differences by number. */
export function CheckList({ checks }: { checks: readonly GunnyCheck[] }) {
  const t = useT()
  return (
    <Stack as="ul">
      {checks.map((check) => {
        const even = check.missing.length + check.extra.length + check.refused.length + check.unknown.length === 0
        return (
          <li key={check.id}>
            <Row justify="between">
              <strong>{t(`gunnyPage.event.${check.event}`)}</strong>
              <StatusPill
                look={even ? { tone: 'success', icon: 'check' } : { tone: 'warning', icon: 'alert' }}
                label={t(even ? 'gunnyPage.even' : 'gunnyPage.differs')}
              />
            </Row>
            <Quiet>
              {check.station?.name}
              {check.nextStation && ` → ${check.nextStation.name}`} · <Time at={check.at} relative={false} />
            </Quiet>
            <span>
              {t('gunnyPage.expected', { moved: check.moved, expected: check.expected })}
              {check.sealed && ` · ${t('gunnyPage.sealed')}`}
            </span>
            {!even && <Difference check={check} />}
          </li>
        )
      })}
    </Stack>
  )
}

function Difference({ check }: { check: GunnyCheck }) {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const refusals = check.refused.map(({ number, status }) =>
    t('phrase.detail', { text: format.trackingNumber(number), detail: label(parcelStatusLabels, status) }),
  )
  const lines: [string, readonly string[]][] = [
    ['missing', check.missing.map(format.trackingNumber)],
    ['extra', check.extra.map(format.trackingNumber)],
    ['refused', refusals],
    ['unknown', check.unknown],
  ]
  return (
    <dl className={classes.difference}>
      {lines
        .filter(([, numbers]) => numbers.length > 0)
        .map(([name, numbers]) => (
          <div key={name}>
            <dt>{t(`gunnyPage.${name}`)}</dt>
            <dd>{format.list(numbers)}</dd>
          </div>
        ))}
    </dl>
  )
}
