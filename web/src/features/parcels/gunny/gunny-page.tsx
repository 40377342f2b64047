import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconFileText, IconPrinter } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import {
  dissolveGunny,
  type GunnyDetail,
  getGunny,
  gunnyLabel,
  gunnyManifest,
  gunnyStatusLabels,
  listGunnies,
  updateGunny,
} from '@waybill/contract/parcels/gunny'
import { listParcels } from '@waybill/contract/parcels/list'
import { useRef, useState } from 'react'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { CopyNumber } from '../../../components/display/copy-number.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, Columns, FieldRow, Panel, Row, Stack } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { FailedScans } from '../../../components/scans/failed-scans.tsx'
import { ScanNotice, useScanResult } from '../../../components/scans/scan-notice.tsx'
import { useUnrecordedScans } from '../../../components/scans/use-unrecorded-scans.ts'
import { call, errorMessage } from '../../../lib/api.ts'
import { openDocument, saveDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall, useRefresh } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'
import { useNotePaper } from '../labels/shared/note-paper.ts'
import { usePrintNotes } from '../labels/shared/print-notes.tsx'
import { CheckList } from './check-list.tsx'
import classes from './gunny.module.css'
import { GunnyField, problemsByNumber } from './gunny-field.tsx'
import { gunnyLooks } from './gunny-look.ts'
import { PackedRow } from './packed-row.tsx'

/** One gunny: its label, its parcels, and every count at a station. */
export function GunnyPage() {
  const { id } = useParams({ from: '/portal/gunny/$id' })
  const gunny = useCall(getGunny, { params: { id } })
  if (gunny.error) return <ErrorPanel error={gunny.error} retry={() => void gunny.refetch()} />
  return gunny.data ? <Shown key={id} gunny={gunny.data} /> : <Loading />
}

type Changes = { add?: string[]; remove?: string[]; sealNumber?: string }

function Shown({ gunny }: { gunny: GunnyDetail }) {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const navigate = useNavigate()
  const mayChange = useMay('parcels.create')
  const open = mayChange && gunny.status === 'open'
  // It has no parcels and is handed over nowhere.
  const dissolved = gunny.status === 'dissolved'
  const params = { id: gunny.id }

  const refresh = [getGunny, listGunnies, listParcels]
  const number = format.trackingNumber(gunny.number)
  // The next change may be sent before the screen shows the version after the one before.
  const version = useRef(gunny.version)
  version.current = Math.max(version.current, gunny.version)
  const { result, show } = useScanResult()
  const scans = useUnrecordedScans(`gunny-${gunny.id}`)
  const save = async (changes: Changes) => {
    const changedGunny = await call(updateGunny, { params, body: { version: version.current, ...changes } })
    version.current = changedGunny.version
  }
  const changing = useSend(save, {
    refresh,
    refreshOnError: refresh,
    success: t('gunnyPage.changed'),
    onError(error, { remove = [], sealNumber = '' }) {
      show(false, remove[0] ?? sealNumber, errorMessage(error))
      return true
    },
  })
  const change = (changes: Changes) => void scans.inOrder(JSON.stringify(changes), () => changing.send(changes))
  const refreshAll = useRefresh()
  /** Adds numbers. A refused one stays in the list, and the others are added without it. */
  async function add(numbers: readonly string[]): Promise<void> {
    try {
      await save({ add: [...numbers] })
      scans.dismiss(numbers)
      show(true, numbers.at(-1) ?? '', t('gunnyPage.changed'))
    } catch (error) {
      const problems = problemsByNumber(error, 'add', numbers)
      const refused = problems.size > 0 ? [...problems.keys()] : numbers
      for (const each of refused) scans.refuse([each], problems.get(each) ?? errorMessage(error))
      show(false, refused.at(-1) ?? '', problems.get(refused.at(-1) ?? '') ?? errorMessage(error))
      const others = numbers.filter((each) => !refused.includes(each))
      if (others.length > 0) return add(others)
    }
    await refreshAll(...refresh)
  }
  const take = (numbers: readonly string[]) => void scans.send(numbers, () => add(numbers))
  const dissolve = useSend(() => call(dissolveGunny, { params }), {
    confirm: {
      title: t('gunnyPage.dissolve'),
      message: t('gunnyPage.dissolveText', { number }),
      action: t('gunnyPage.dissolve'),
    },
    refresh,
    success: t('gunnyPage.dissolved', { number }),
    onSuccess: () => navigate({ to: '/gunny' }),
  })
  const station = gunny.station ?? gunny.dropOffStation

  return (
    <>
      <PageHeader
        title={`${t('gunnyPage.number')} ${number}`}
        description={
          <Row as="span" gap={8}>
            <StatusPill look={gunnyLooks[gunny.status]} label={label(gunnyStatusLabels, gunny.status)} />
            {gunny.differs && <StatusPill look={{ tone: 'warning', icon: 'alert' }} label={t('gunnyPage.differs')} />}
          </Row>
        }
        actions={
          <>
            <ButtonLink to="/gunny">{t('gunnyPage.back')}</ButtonLink>
            {open && (
              <Button loading={dissolve.pending} onClick={() => void dissolve.send()}>
                {t('gunnyPage.dissolve')}
              </Button>
            )}
          </>
        }
      />
      <Columns template="minmax(0, 1fr) minmax(0, 1fr)">
        <Panel aria-label={t('gunnyPage.contents')}>
          {!dissolved && <Papers gunny={gunny} />}
          <Facts>
            <Fact label={t('gunnyPage.contents')}>
              {t('gunnyPage.parcels', { count: gunny.parcelCount })} · {format.weight(gunny.weightGrams)}
            </Fact>
            <Fact label={t('gunnyPage.station')}>{station ? station.name : t('gunnyPage.anyCounter')}</Fact>
            <Fact label={t('gunnyPage.sscc')}>
              <CopyNumber value={gunny.sscc} />
            </Fact>
            <Fact label={t('gunnyPage.packed')}>
              <Time at={gunny.createdAt} />
            </Fact>
            {!open && <Fact label={t('gunnyPage.seal')}>{gunny.sealNumber ?? '–'}</Fact>}
          </Facts>
          {open && (
            <Seal
              key={gunny.sealNumber}
              value={gunny.sealNumber ?? ''}
              onSave={(sealNumber) => change({ sealNumber })}
            />
          )}
          {!dissolved && <h2>{t('gunnyPage.checks')}</h2>}
          {gunny.checks.length > 0 ? (
            <CheckList checks={gunny.checks} />
          ) : (
            !dissolved && <Note>{t('gunnyPage.checksNone')}</Note>
          )}
        </Panel>
        <Panel aria-label={t('gunnyPage.inGunny', { count: gunny.parcels.length })}>
          {open && <GunnyField onScan={take} />}
          {result && <ScanNotice result={result} ready="" />}
          <FailedScans
            scans={scans.failures.map((scan) => ({
              ...scan,
              ...(open && {
                onAgain: () => take([scan.number]),
                onCorrect: (corrected: string) => {
                  scan.onDismiss()
                  take([corrected])
                },
              }),
            }))}
          />
          <h2>{t('gunnyPage.inGunny', { count: gunny.parcels.length })}</h2>
          <ul className={classes.rows}>
            {gunny.parcels.map((parcel) => (
              <PackedRow
                key={parcel.id}
                number={parcel.trackingNumber}
                receiver={[parcel.receiverName, parcel.receiverPlace].filter(Boolean).join(', ')}
                onRemove={open ? () => change({ remove: [parcel.trackingNumber] }) : undefined}
              />
            ))}
          </ul>
        </Panel>
      </Columns>
    </>
  )
}

/** The gunny's label in this device's paper size, its manifest, and the consignment notes of its parcels. */
function Papers({ gunny }: { gunny: GunnyDetail }) {
  const t = useT()
  const notes = usePrintNotes()
  const [paper, setPaper] = useNotePaper()
  // Gunny labels are printed individually: a sheet of four is for parcels.
  const format = paper === 'a4' ? 'a6' : paper
  const params = { id: gunny.id }
  const print = useSend(() =>
    format === 'zpl'
      ? saveDocument(gunnyLabel, { params, query: { format } })
      : openDocument(gunnyLabel, { params, query: { format } }),
  )
  const manifest = useSend(() => openDocument(gunnyManifest, { params }))
  return (
    <Stack gap={12}>
      {notes.dialog}
      <NativeSelect
        label={t('gunnyPage.labelSize')}
        value={format}
        onChange={(event) => setPaper(event.currentTarget.value as 'a6' | '4x6' | 'zpl')}
        data={(['a6', '4x6', 'zpl'] as const).map((value) => ({ value, label: t(`printNotes.${value}`) }))}
      />
      <Buttons>
        <Button
          variant={gunny.status === 'open' && gunny.parcelCount > 0 ? 'filled' : 'default'}
          leftSection={<IconPrinter size={18} aria-hidden />}
          loading={print.pending}
          onClick={() => void print.send()}
        >
          {t('gunnyPage.label')}
        </Button>
        <Button
          leftSection={<IconFileText size={18} aria-hidden />}
          loading={manifest.pending}
          onClick={() => void manifest.send()}
        >
          {t('gunnyPage.manifest')}
        </Button>
        {gunny.parcels.length > 0 && (
          <Button onClick={() => notes.ask(gunny.parcels.map(({ id }) => id))}>{t('gunnyPage.notes')}</Button>
        )}
      </Buttons>
    </Stack>
  )
}

function Seal({ value, onSave }: { value: string; onSave: (seal: string) => void }) {
  const t = useT()
  const [seal, setSeal] = useState(value)
  return (
    <FieldRow
      as="form"
      onSubmit={(event) => {
        event.preventDefault()
        onSave(seal)
      }}
    >
      <TextInput
        label={t('fields.sealNumber')}
        description={t('gunnyPage.sealHelp')}
        value={seal}
        maxLength={40}
        onChange={(event) => setSeal(event.currentTarget.value)}
      />
      <Button type="submit">{t('gunnyPage.saveSeal')}</Button>
    </FieldRow>
  )
}
