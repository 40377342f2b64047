import { Button } from '@mantine/core'
import { getWeekday } from '@waybill/contract/ground/days'
import { publicStationTypeLabels } from '@waybill/contract/ground/enums/enums'
import type { Look } from '@waybill/contract/ground/status/status-look'
import type { Station } from '@waybill/contract/stations/stations'
import { useEffect, useRef } from 'react'
import { PhoneLink } from '../../components/display/phone-link.tsx'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { Buttons, Row } from '../../components/layout/boxes.tsx'
import { Fold } from '../../components/layout/fold.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { OpeningWeek } from './opening-week.tsx'
import { useOpenState } from './shared/open-state.ts'
import classes from './stations.module.css'

const openLook: Look = { tone: 'success', icon: 'check' }
const closedLook: Look = { tone: 'neutral', icon: 'clock' }

type Props = {
  station: Station
  /** Its number on the map. */
  number: number
  selected: boolean
  /** Omitted if the map is already visible. */
  onShowOnMap?: () => void
  onCoverage: () => void
}

/**
 * A station of the list, with everything that the map shows about it. A selected one scrolls into view and takes the
 * focus.
 */
export function StationCard({ station, number, selected, onShowOnMap, onCoverage }: Props) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const openState = useOpenState()
  const hours = station.openingHours[getWeekday(format.today()) - 1]
  const today = station.holiday
    ? t('stations.holiday', { name: station.holiday })
    : hours
      ? t('stations.today', { open: hours.open, close: hours.close })
      : t('stations.closedToday')
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (selected) card.current?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  return (
    <li ref={card} className={classes.card} aria-current={selected ? 'location' : undefined}>
      <Row justify="between" align="start">
        <div>
          <h2 className={classes.name}>
            <span className={classes.number} aria-hidden>
              {number}
            </span>
            {station.name}
          </h2>
          <Quiet>{label(publicStationTypeLabels, station.type)}</Quiet>
        </div>
        <div className={classes.state}>
          <StatusPill look={station.openNow ? openLook : closedLook} label={openState(station)} />
          {station.distanceM !== null && (
            <strong>{t('stations.away', { distance: format.distance(station.distanceM) })}</strong>
          )}
        </div>
      </Row>
      <div>
        {station.line1}
        <Quiet>
          {station.postcode} {station.city === station.state ? station.city : `${station.city}, ${station.state}`}
        </Quiet>
        <PhoneLink phone={station.phone} />
      </div>
      <Fold summary={today}>
        <OpeningWeek openingHours={station.openingHours} />
      </Fold>
      <Buttons>
        <Button
          variant="default"
          size="compact-md"
          aria-label={t('stations.coverageOf', { station: station.name })}
          onClick={onCoverage}
        >
          {t('actions.coverageArea')}
        </Button>
        {onShowOnMap && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-md"
            aria-label={t('stations.showOnMap', { station: station.name })}
            onClick={onShowOnMap}
          >
            {t('stations.onMap')}
          </Button>
        )}
      </Buttons>
    </li>
  )
}
