import { gunnyStatusLabels, type StaffGunny, staffGunnies, staffGunnyByNumber } from '@waybill/contract/parcels/gunny'
import { useState } from 'react'
import { notify } from '../../../components/notify.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { ScanField } from '../../../components/scan-field/scan-field.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import classes from '../scanning/scan.module.css'
import { StationChoice, useChosenStation } from '../scanning/station-choice.tsx'
import { GunnyCount } from './gunny-count.tsx'
import { MissingParcels } from './missing-parcels.tsx'

/** Scan a sack, then what is in it: expected against scanned, and at the end the difference by name. */
export function GunnyScanPage() {
  const t = useT()
  const [stationId, chooseStation] = useChosenStation()
  const [gunny, setGunny] = useState<StaffGunny | null>(null)
  async function find(no: string) {
    try {
      setGunny(await call(staffGunnyByNumber, { params: { no } }))
    } catch (error) {
      notify.problem(error)
    }
  }
  return (
    <>
      <PageHeader title={t('gunnyStation.title')} />
      <div className={classes.setting}>
        <StationChoice value={stationId} onChange={chooseStation} />
        {!gunny && (
          <ScanField
            label={t('gunnyStation.sack')}
            action={t('gunnyStation.find')}
            onScan={(numbers) => void find(numbers.at(-1) ?? '')}
          />
        )}
      </div>
      {gunny ? (
        <GunnyCount key={gunny.id} gunny={gunny} stationId={stationId} onClose={() => setGunny(null)} />
      ) : (
        <>
          <Waiting onChoose={(no) => void find(no)} />
          <MissingParcels />
        </>
      )}
    </>
  )
}

/** Sacks that are to come, and those that lie at a station. */
function Waiting({ onChoose }: { onChoose: (number: string) => void }) {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const gunnies = useCall(staffGunnies, { query: { limit: 30 } })
  const items = gunnies.data?.items.filter(({ status }) => status !== 'closed' && status !== 'dissolved') ?? []
  return (
    <section className={classes.recent} aria-label={t('gunnyStation.waiting')}>
      <h2>{t('gunnyStation.waiting')}</h2>
      {items.length === 0 ? (
        <p className={classes.quiet}>{gunnies.isPending ? t('gunnyStation.ready') : t('gunnyStation.waitingNone')}</p>
      ) : (
        <ul>
          {items.map((each) => (
            <li key={each.id}>
              <button type="button" className={classes.pick} onClick={() => onChoose(each.number)}>
                {format.trackingNumber(each.number)}
              </button>
              <span>{label(gunnyStatusLabels, each.status)}</span>
              <span>{t('gunnyPage.parcels', { count: each.parcelCount })}</span>
              <span className={classes.quiet}>
                {each.accountName}
                {each.station && ` · ${each.station.name}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
