import { Button } from '@mantine/core'
import type { TripLoad } from '@waybill/contract/parcels/transport/trips'
import { type ReactNode, useState } from 'react'
import { TextLink } from '../../../components/buttons/link.tsx'
import { StaffParcelLink } from '../../../components/buttons/staff-parcel-link.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Row } from '../../../components/layout/boxes.tsx'
import { Mono, Quiet, Tag } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from '../bags/load-rows.module.css'
import { MisrouteNote } from '../bags/misroute.tsx'
import { loadLooks } from './trip-look.ts'

/** A trip may have thousands of loads, and each scan would render them all. */
const firstRows = 30

type Props = {
  title: string
  loads: readonly TripLoad[]
  /** The button of a row; without it, a row shows what became of the load. */
  action?: (load: TripLoad) => ReactNode
}

/** Loads of a trip below a title; nothing if there are none. */
export function LoadRows({ title, loads, action }: Props) {
  const t = useT()
  const format = useFormat()
  const [isWhole, setWhole] = useState(false)
  if (loads.length === 0) return null
  return (
    <section aria-label={title}>
      <Row gap={8} style={{ marginBlockEnd: 8 }}>
        <h2>{title}</h2>
        <Tag>{format.number(loads.length)}</Tag>
      </Row>
      <ul className={classes.rows}>
        {(isWhole ? loads : loads.slice(0, firstRows)).map((load) => (
          <LoadRow key={load.id} load={load} end={action ? action(load) : <StatePill load={load} />} />
        ))}
      </ul>
      {!isWhole && loads.length > firstRows && (
        <Button mt={8} onClick={() => setWhole(true)}>
          {t('tripPage.showAll', { total: format.number(loads.length) })}
        </Button>
      )}
    </section>
  )
}

function LoadRow({ load, end }: { load: TripLoad; end: ReactNode }) {
  const t = useT()
  const format = useFormat()
  const { kind, to, parcelCount, weightGrams, sealNumber, missing } = load
  return (
    <li className={classes.row}>
      <LoadLink load={load} />
      <span className={classes.details}>
        {kind !== 'parcel' && <Tag>{t(`loadKind.${kind}`)}</Tag>}
        {to && <span>{t('tripPage.goesTo', { place: to })}</span>}
        <Quiet inline>
          {kind === 'parcel'
            ? format.weight(weightGrams)
            : [t('gunnyPage.parcels', { count: parcelCount }), format.weight(weightGrams)].join(' · ')}
        </Quiet>
        {sealNumber && <Quiet inline>{t('tripPage.sealed', { seal: sealNumber })}</Quiet>}
      </span>
      <span className={classes.end}>{end}</span>
      <MisrouteNote misroute={load.misroute} />
      {missing.length > 0 && (
        <Row gap="0 16px" className={classes.missing}>
          <Quiet inline>{t('phrase.label', { label: t('tripPage.notArrived') })}</Quiet>
          {missing.map((number) => (
            <StaffParcelLink key={number} number={number} />
          ))}
        </Row>
      )}
    </li>
  )
}

/** The number of a load, which opens its page. */
export function LoadLink({ load: { kind, number } }: { load: Pick<TripLoad, 'kind' | 'number'> }) {
  const format = useFormat()
  if (kind === 'parcel') return <StaffParcelLink number={number} />
  return (
    <TextLink to={kind === 'bag' ? '/staff/bags' : '/staff/gunny'} search={{ no: number }}>
      <Mono>{format.trackingNumber(number)}</Mono>
    </TextLink>
  )
}

function StatePill({ load: { state, missing } }: { load: TripLoad }) {
  const t = useT()
  const isOpened = state === 'arrived' && missing.length > 0
  if (isOpened) return <StatusPill look={loadLooks.extra} label={t('tripPage.opened')} />
  return <StatusPill look={loadLooks[state]} label={t(`tripPage.state.${state}`)} />
}
