import { Button } from '@mantine/core'
import { countLimit } from '@waybill/contract/ground/paging'
import { type BagDetail, bagByNumber, bagStatusLabels, listBags } from '@waybill/contract/parcels/transport/bags'
import { useState } from 'react'
import { TextButton } from '../../../components/buttons/link.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { ScanField } from '../../../components/fields/scan-field.tsx'
import { Columns } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { Pages } from '../../../components/list/data-list.tsx'
import { usePages } from '../../../components/list/use-pages.ts'
import { ScanNotice, useScanResult } from '../../../components/scans/scan-notice.tsx'
import { useLinkedNumber, useLookup } from '../../../components/scans/use-lookup.ts'
import { call, errorMessage } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import classes from '../scanning/scan.module.css'
import { StationChoice, useChosenStation } from '../scanning/station-choice.tsx'
import { bagLooks } from './bag-look.ts'
import { BagPanel } from './bag-panel.tsx'
import { NewBag } from './new-bag.tsx'

/** The statuses of a bag that a station still has work with. */
const inProgress = 'open,sealed,in_transit,at_station'

/** Finds a bag by its label, opens a new one, and fills, seals and empties it. */
export function BagsPage() {
  const t = useT()
  const own = useSession((state) => state.auth.user?.staff?.stationId ?? null)
  const [selected, chooseStation] = useChosenStation()
  const stationId = own ?? selected
  const [isNew, setNew] = useState(false)
  /** A bag that was opened here, which needs no look-up. */
  const [newBag, setNewBag] = useState<BagDetail | null>(null)
  const { result: problem, show, reset } = useScanResult()
  const {
    result: scannedBag,
    find,
    clear,
  } = useLookup(
    (no) => call(bagByNumber, { params: { no } }),
    (error, no) => show(false, no, errorMessage(error)),
  )
  const bag = newBag ?? scannedBag
  function look(no: string) {
    reset()
    setNewBag(null)
    void find(no)
  }
  function close() {
    setNewBag(null)
    clear()
  }
  useLinkedNumber(look)
  return (
    <>
      <PageHeader
        title={t('bagPage.title')}
        description={bag ? undefined : t('bagPage.lead')}
        actions={
          !bag && (
            <Button variant="filled" onClick={() => setNew(true)}>
              {t('bagPage.new')}
            </Button>
          )
        }
      />
      {(!bag || own === null) && (
        <Columns template={own === null ? 'minmax(220px, 320px) 1fr' : 'minmax(0, 1fr)'} style={{ marginBlockEnd: 24 }}>
          {own === null && <StationChoice value={stationId} onChange={chooseStation} />}
          {!bag && (
            <ScanField
              label={t('bagPage.scanBag')}
              action={t('bagPage.find')}
              main={false}
              onScan={(numbers) => look(numbers.at(-1) ?? '')}
            />
          )}
        </Columns>
      )}
      {bag ? (
        <BagPanel key={bag.id} bag={bag} stationId={stationId} onNext={look} onClose={close} />
      ) : (
        <>
          {problem && <ScanNotice result={problem} ready="" />}
          <InProgress stationId={stationId} onChoose={look} />
        </>
      )}
      {isNew && (
        <NewBag
          stationId={stationId}
          onStation={own === null ? chooseStation : null}
          onCreated={(next) => {
            reset()
            setNewBag(next)
            setNew(false)
          }}
          onClose={() => setNew(false)}
        />
      )}
    </>
  )
}

/** The bags that this station still has to fill, send on or empty, the last changed first. */
function InProgress({ stationId, onChoose }: { stationId: string | null; onChoose: (number: string) => void }) {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const filters = { status: inProgress, ...(stationId && { stationId }) }
  const { list, slice } = usePages(filters, 30)
  const bags = useCall(listBags, { query: { ...filters, ...slice } }, { keepPrevious: true })
  const items = bags.data?.items ?? []
  return (
    <section className={classes.recent} aria-label={t('bagPage.inProgress')}>
      <h2>{t('bagPage.inProgress')}</h2>
      {items.length === 0 ? (
        <Note>{bags.isPending ? t('list.loading') : t('bagPage.none')}</Note>
      ) : (
        <ul>
          {items.map((each) => (
            <li key={each.id}>
              <TextButton ff="monospace" onClick={() => onChoose(each.number)}>
                {format.trackingNumber(each.number)}
              </TextButton>
              <StatusPill look={bagLooks[each.status]} label={label(bagStatusLabels, each.status)} />
              <span>{t('gunnyPage.parcels', { count: each.parcelCount })}</span>
              <Quiet>{t('bagPage.fromTo', { from: each.station.name, to: each.toStation.name })}</Quiet>
            </li>
          ))}
        </ul>
      )}
      {bags.data && bags.data.total > items.length && <Pages list={list} page={bags.data} countedTo={countLimit} />}
    </section>
  )
}
