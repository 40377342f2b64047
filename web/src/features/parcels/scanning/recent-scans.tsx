import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { parcelStatusLooks } from '@waybill/contract/ground/status/status-look'
import { recentScans, type ScanResult } from '@waybill/contract/parcels/scanning'
import { StaffParcelLink } from '../../../components/buttons/staff-parcel-link.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { Section } from '../../../components/layout/boxes.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { findNewestScans } from './newest-scans.ts'
import classes from './scan.module.css'
import { UndoButton } from './undo-button.tsx'

type Props = {
  /** Scans that are shown elsewhere on the page. */
  except: readonly ScanResult[]
  onUndone: (number: string) => void
}

/** The latest scans of this staff member on any device, newest first. */
export function RecentScans({ except, onUndone }: Props) {
  const t = useT()
  const label = useLabel()
  const scans = useCall(recentScans, { query: { limit: 20 } })
  const exceptIds = new Set(except.map(({ id }) => id))
  const items = scans.data?.items.filter(({ id }) => !exceptIds.has(id))
  // The other scans are of this visit: they may be later than the last response.
  const newest = findNewestScans([...except, ...(items ?? [])].toSorted((a, b) => b.at.localeCompare(a.at)))
  return (
    <Section className={classes.recent} title={t('scanPage.recent')}>
      {scans.error ? (
        <ErrorPanel error={scans.error} retry={() => void scans.refetch()} />
      ) : items?.length === 0 ? (
        <Note>{t('scanPage.none')}</Note>
      ) : (
        <ul>
          {items?.map((item) => (
            <li key={item.id}>
              <StaffParcelLink number={item.trackingNumber} />
              <span>{t(`scanPage.event.${item.event}`)}</span>
              <StatusPill look={parcelStatusLooks[item.toStatus]} label={label(parcelStatusLabels, item.toStatus)} />
              <Quiet>
                {item.place && `${item.place} · `}
                <Time at={item.at} />
              </Quiet>
              {newest.has(item.id) && <UndoButton scan={item} onUndone={onUndone} />}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
