import { gunniesInProgress, gunnyStatusLabels, staffGunnies, staffGunnyByNumber } from '@waybill/contract/parcels/gunny'
import { TextButton } from '../../../components/buttons/link.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { ScanField } from '../../../components/fields/scan-field.tsx'
import { Columns } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { Pages } from '../../../components/list/data-list.tsx'
import { usePages } from '../../../components/list/use-pages.ts'
import { FailedScans } from '../../../components/scans/failed-scans.tsx'
import { ScanNotice, useScanResult } from '../../../components/scans/scan-notice.tsx'
import { useLinkedNumber, useLookup } from '../../../components/scans/use-lookup.ts'
import { useUnrecordedScans } from '../../../components/scans/use-unrecorded-scans.ts'
import { call, errorMessage } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import classes from '../scanning/scan.module.css'
import { StationChoice, useChosenStation } from '../scanning/station-choice.tsx'
import { GunnyCount } from './gunny-count.tsx'
import { gunnyLooks } from './gunny-look.ts'
import { MissingParcels } from './missing-parcels.tsx'

/** Counts a gunny at a station: scan its number, then its parcels. */
export function GunnyScanPage() {
  const t = useT()
  const [stationId, chooseStation] = useChosenStation()
  const { result: problem, show, reset } = useScanResult()
  const uncounted = useUnrecordedScans('gunny-count')
  const {
    result: gunny,
    find,
    clear,
  } = useLookup(
    (no) => call(staffGunnyByNumber, { params: { no } }),
    (error, no) => show(false, no, errorMessage(error)),
  )
  function look(no: string) {
    reset()
    void find(no)
  }
  useLinkedNumber(look)
  return (
    <>
      <PageHeader title={t('gunnyStation.title')} />
      <Columns template="minmax(220px, 320px) 1fr" style={{ marginBlockEnd: 24 }}>
        <StationChoice value={stationId} onChange={chooseStation} />
        {!gunny && (
          <ScanField
            label={t('gunnyStation.gunny')}
            action={t('gunnyStation.find')}
            onScan={(numbers) => look(numbers.at(-1) ?? '')}
          />
        )}
      </Columns>
      {gunny ? (
        <GunnyCount
          key={`${gunny.id} ${gunny.version}`}
          gunny={gunny}
          stationId={stationId}
          uncounted={uncounted}
          onNext={look}
          onClose={clear}
        />
      ) : (
        <>
          {problem && <ScanNotice result={problem} ready="" />}
          <FailedScans scans={uncounted.failures} />
          <Waiting stationId={stationId} onChoose={look} />
          <MissingParcels />
        </>
      )}
    </>
  )
}

/** The gunnies that this station still has to count or empty, the last changed first. */
function Waiting({ stationId, onChoose }: { stationId: string | null; onChoose: (number: string) => void }) {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const filters = { status: gunniesInProgress.join(), ...(stationId && { stationId }) }
  const { list, slice } = usePages(filters, 30)
  const gunnies = useCall(staffGunnies, { query: { ...filters, ...slice } }, { keepPrevious: true })
  const items = gunnies.data?.items ?? []
  return (
    <section className={classes.recent} aria-label={t('gunnyStation.waiting')}>
      <h2>{t('gunnyStation.waiting')}</h2>
      {items.length === 0 ? (
        <Note>{gunnies.isPending ? t('gunnyStation.ready') : t('gunnyStation.waitingNone')}</Note>
      ) : (
        <ul>
          {items.map((each) => (
            <li key={each.id}>
              <TextButton ff="monospace" onClick={() => onChoose(each.number)}>
                {format.trackingNumber(each.number)}
              </TextButton>
              <StatusPill look={gunnyLooks[each.status]} label={label(gunnyStatusLabels, each.status)} />
              <span>{t('gunnyPage.parcels', { count: each.parcelCount })}</span>
              <Quiet>
                {each.accountName}
                {each.station && ` · ${each.station.name}`}
              </Quiet>
            </li>
          ))}
        </ul>
      )}
      {gunnies.data && gunnies.data.total > items.length && <Pages list={list} page={gunnies.data} />}
    </section>
  )
}
