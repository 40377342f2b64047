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
import { useState } from 'react'
import { CopyNumber } from '../../../components/copy-number.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { ButtonLink } from '../../../components/link.tsx'
import { Loading } from '../../../components/loading.tsx'
import { ErrorPanel } from '../../../components/message-panel.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { useNotePaper } from '../../../components/print-notes/note-paper.ts'
import { usePrintNotes } from '../../../components/print-notes/print-notes.tsx'
import { StatusPill } from '../../../components/status-pill.tsx'
import { Time } from '../../../components/time.tsx'
import { call } from '../../../lib/api.ts'
import { openDocument, saveDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'
import { CheckList } from './check-list.tsx'
import classes from './gunny.module.css'
import { gunnyLooks } from './gunny-look.ts'
import { NumberField } from './number-field.tsx'
import { PackedRow } from './packed-row.tsx'

/** One gunny: its label, its parcels, and every count at a station. */
export function GunnyPage() {
  const { id } = useParams({ from: '/portal/gunny/$id' })
  const gunny = useCall(getGunny, { params: { id } })
  if (gunny.error) return <ErrorPanel error={gunny.error} retry={() => void gunny.refetch()} />
  return gunny.data ? <Shown gunny={gunny.data} /> : <Loading />
}

function Shown({ gunny }: { gunny: GunnyDetail }) {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const navigate = useNavigate()
  const mayChange = useMay('parcels.create')
  const open = mayChange && gunny.status === 'open'
  const params = { id: gunny.id }

  const refresh = [getGunny, listGunnies, listParcels]
  const number = format.trackingNumber(gunny.number)
  const change = useSend(
    (changes: { add?: string[]; remove?: string[]; sealNumber?: string }) =>
      call(updateGunny, { params, body: { version: gunny.version, ...changes } }),
    { refresh, success: t('gunnyPage.changed') },
  )
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
          <span className={classes.pills}>
            <StatusPill look={gunnyLooks[gunny.status]} label={label(gunnyStatusLabels, gunny.status)} />
            {gunny.differs && <StatusPill look={{ tone: 'warning', icon: 'alert' }} label={t('gunnyPage.differs')} />}
          </span>
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
      <div className={classes.pack}>
        <section className={classes.panel} aria-label={t('gunnyPage.contents')}>
          <Papers gunny={gunny} />
          <dl className={classes.facts}>
            <dt>{t('gunnyPage.contents')}</dt>
            <dd>
              {t('gunnyPage.parcels', { count: gunny.parcelCount })}, {format.weight(gunny.weightGrams)}
            </dd>
            <dt>{t('gunnyPage.station')}</dt>
            <dd>{station ? `${station.code} · ${station.name}` : t('gunnyPage.anyCounter')}</dd>
            <dt>{t('gunnyPage.sscc')}</dt>
            <dd>
              <CopyNumber value={gunny.sscc} />
            </dd>
            <dt>{t('gunnyPage.packed')}</dt>
            <dd>
              <Time at={gunny.createdAt} />
            </dd>
            {!open && (
              <>
                <dt>{t('gunnyPage.seal')}</dt>
                <dd>{gunny.sealNumber ?? '–'}</dd>
              </>
            )}
          </dl>
          {open && (
            <Seal
              key={gunny.version}
              value={gunny.sealNumber ?? ''}
              onSave={(sealNumber) => void change.send({ sealNumber })}
            />
          )}
          <h2 className={classes.heading}>{t('gunnyPage.checks')}</h2>
          {gunny.checks.length === 0 ? (
            <p className={classes.quiet}>{t('gunnyPage.checksNone')}</p>
          ) : (
            <CheckList checks={gunny.checks} />
          )}
        </section>
        <section className={classes.panel} aria-label={t('gunnyPage.inSack', { count: gunny.parcels.length })}>
          {open && <NumberField onNumbers={(numbers) => void change.send({ add: [...numbers] })} />}
          <h2 className={classes.heading}>{t('gunnyPage.inSack', { count: gunny.parcels.length })}</h2>
          <ul className={classes.rows}>
            {gunny.parcels.map((parcel) => (
              <PackedRow
                key={parcel.id}
                number={parcel.trackingNumber}
                receiver={[parcel.receiverName, parcel.receiverPlace].filter(Boolean).join(', ')}
                onRemove={open ? () => void change.send({ remove: [parcel.trackingNumber] }) : undefined}
              />
            ))}
          </ul>
        </section>
      </div>
    </>
  )
}

/** The gunny's label in this device's paper size, its manifest, and the consignment notes of its parcels. */
function Papers({ gunny }: { gunny: GunnyDetail }) {
  const t = useT()
  const notes = usePrintNotes()
  const [paper, setPaper] = useNotePaper()
  // Labels of sacks go one by one: a sheet of four is for parcels.
  const format = paper === 'a4' ? 'a6' : paper
  const params = { id: gunny.id }
  const print = useSend(() =>
    format === 'zpl'
      ? saveDocument(gunnyLabel, { params, query: { format } })
      : openDocument(gunnyLabel, { params, query: { format } }),
  )
  const manifest = useSend(() => openDocument(gunnyManifest, { params }))
  return (
    <div className={classes.papers}>
      {notes.dialog}
      <NativeSelect
        label={t('gunnyPage.labelSize')}
        value={format}
        onChange={(event) => setPaper(event.currentTarget.value as 'a6' | '4x6' | 'zpl')}
        data={(['a6', '4x6', 'zpl'] as const).map((value) => ({ value, label: t(`printNotes.${value}`) }))}
      />
      <div className={classes.buttons}>
        <Button
          variant="filled"
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
      </div>
    </div>
  )
}

function Seal({ value, onSave }: { value: string; onSave: (seal: string) => void }) {
  const t = useT()
  const [seal, setSeal] = useState(value)
  return (
    <form
      className={classes.scan}
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
    </form>
  )
}
