import { Button, NativeSelect } from '@mantine/core'
import { IconArrowBackUp, IconDownload, IconPlus, IconShoppingCart, IconWand } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import {
  type BulkBatch,
  type BulkField,
  type BulkRow,
  bulkFields,
  bulkLimits,
  bulkProblemFile,
  cartBulk,
  clearBulk,
  getBulk,
  listBulk,
  mapBulk,
} from '@waybill/contract/bulk'
import { cartCount, getCart, listParcels } from '@waybill/contract/parcels'
import { useState } from 'react'
import { useAction } from '../../components/action.ts'
import { AddressSearch } from '../../components/address/address-search.tsx'
import { confirm } from '../../components/confirm.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { Loading } from '../../components/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../components/message-panel.tsx'
import { notify } from '../../components/notify.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Time } from '../../components/time.tsx'
import { call } from '../../lib/api.ts'
import { saveDocument } from '../../lib/download.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall, useChanged } from '../../lib/query.ts'
import classes from './bulk.module.css'
import { BulkGrid, columnsShown } from './bulk-grid.tsx'
import type { CellChanges } from './edit-history.ts'
import { type BulkRows, type Only, useBulkRows } from './use-bulk-rows.ts'

const lookEveryMs = 800

/** One batch, from being read to being in the cart. */
export function BulkBatchPage() {
  const t = useT()
  const { id } = useParams({ strict: false }) as { id: string }
  const [reading, setReading] = useState(true)
  const answer = useCall(
    getBulk,
    { params: { id }, query: { limit: 1 } },
    { refetchInterval: reading ? lookEveryMs : false, staleTime: 0 },
  )
  const batch = answer.data?.batch
  if (batch && (batch.status === 'reading') !== reading) setReading(batch.status === 'reading')
  const title = batch?.name ?? t('bulk.unnamed')
  if (!batch || !answer.isFetchedAfterMount) {
    return (
      <>
        <PageHeader title={t('bulk.title')} />
        {answer.error ? <ErrorPanel error={answer.error} retry={() => void answer.refetch()} /> : <Loading />}
      </>
    )
  }
  if (batch.status === 'ready') return <Ready key={batch.id} batch={batch} title={title} />
  return (
    <>
      <PageHeader title={title} description={<Time at={batch.createdAt} />} />
      {batch.status === 'reading' && <Reading batch={batch} />}
      {batch.status === 'columns' && <Columns key={batch.version} batch={batch} />}
      {batch.status === 'failed' && (
        <MessagePanel
          kind="error"
          title={t('bulk.failed')}
          text={batch.fault?.message}
          action={<ButtonLink to="/parcels/bulk">{t('bulk.another')}</ButtonLink>}
        />
      )}
    </>
  )
}

function Reading({ batch }: { batch: BulkBatch }) {
  const t = useT()
  const format = useFormat()
  return (
    <div className={classes.reading} role="status">
      <progress aria-label={t('bulk.reading')} />
      <p>
        {t('bulk.reading')} {batch.counts.read > 0 && t('bulk.readSoFar', { rows: format.number(batch.counts.read) })}
      </p>
    </div>
  )
}

/** Headers that nobody knows: the sender says what each column is. */
function Columns({ batch }: { batch: BulkBatch }) {
  const t = useT()
  const changed = useChanged()
  const [mapping, setMapping] = useState<readonly (BulkField | null)[]>(batch.mapping)
  const read = useAction(async () => {
    await call(mapBulk, { body: { id: batch.id, version: batch.version, mapping: [...mapping] } })
    await changed(getBulk)
  })
  return (
    <section className={classes.panel}>
      <h2>{t('bulk.columnsTitle')}</h2>
      <p>{t('bulk.columnsText', { columns: batch.missing.map((field) => t(`bulk.column.${field}`)).join(', ') })}</p>
      <div className={classes.mapping}>
        {batch.headers.map((header, n) => (
          <NativeSelect
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
            key={n}
            label={header || t('bulk.columnNumber', { number: n + 1 })}
            value={mapping[n] ?? ''}
            onChange={(event) => {
              const field = (event.currentTarget.value || null) as BulkField | null
              setMapping(mapping.map((one, k) => (k === n ? field : one === field ? null : one)))
            }}
          >
            <option value="">{t('bulk.ignore')}</option>
            {bulkFields.map((field) => (
              <option key={field} value={field}>
                {t(`bulk.column.${field}`)}
              </option>
            ))}
          </NativeSelect>
        ))}
      </div>
      <Button variant="filled" loading={read.running} onClick={() => void read.run()}>
        {t('bulk.readFile')}
      </Button>
    </section>
  )
}

const filters = [undefined, 'bad', 'good', 'carted'] as const

function Ready({ batch: opened, title }: { batch: BulkBatch; title: string }) {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate()
  const changed = useChanged()
  const [only, setOnly] = useState<Only>(
    opened.counts.bad > 0 && opened.counts.bad < opened.counts.total ? 'bad' : undefined,
  )
  const [everything, setEverything] = useState(false)
  const [active, setActive] = useState({ row: 0, column: 0 })
  const rows = useBulkRows(opened, only)
  const { batch } = rows
  const { counts } = batch
  const columns = columnsShown(batch.mapping, everything)

  const toCart = useAction(async () => {
    await rows.flush()
    const { added, batch: now } = await call(cartBulk, { body: { id: batch.id } })
    rows.reset(now)
    setActive({ row: 0, column: 0 })
    notify.success(t('bulk.added', { count: added, rows: format.number(added) }))
    await changed(cartCount, getCart, listParcels, listBulk, getBulk)
    if (now.counts.bad === 0) await navigate({ to: '/cart' } as never)
  })
  const clear = useAction(async () => {
    const sure = await confirm({ title: t('bulk.clear'), message: t('bulk.clearSure'), action: t('actions.remove') })
    if (!sure) return
    await call(clearBulk, { body: { id: batch.id } })
    await changed(listBulk)
    await navigate({ to: '/parcels/bulk' } as never)
  })
  const save = useAction(async () => {
    await rows.flush()
    await saveDocument(bulkProblemFile, { params: { id: batch.id } })
  })
  const addRows = useAction(async (cells: CellChanges[]) => {
    if (counts.total + cells.length > bulkLimits.rows) {
      notify.error(t('bulk.tooManyRows', { rows: format.number(bulkLimits.rows) }))
      return
    }
    await rows.add(cells)
    // A new row has something to correct: it is the last one there.
    if (only === 'good' || only === 'carted') setOnly('bad')
    setActive({ row: (only === undefined ? rows.batch.counts.total : rows.batch.counts.bad) - 1, column: 0 })
  })
  const number = (filter: Only) => format.number(filter ? counts[filter] : counts.total)
  return (
    <>
      <PageHeader
        title={title}
        description={
          <span className={classes.standing}>
            <Time at={batch.createdAt} />
            <span role="status">{t(`bulk.save.${rows.save}`)}</span>
          </span>
        }
        actions={
          <>
            <Button variant="subtle" onClick={() => void clear.run()} loading={clear.running}>
              {t('bulk.clear')}
            </Button>
            {counts.bad > 0 && (
              <Button
                leftSection={<IconDownload size={18} aria-hidden />}
                onClick={() => void save.run()}
                loading={save.running}
              >
                {t('bulk.saveBad')}
              </Button>
            )}
            <Button
              variant="filled"
              leftSection={<IconShoppingCart size={18} aria-hidden />}
              loading={toCart.running}
              onClick={() => void toCart.run()}
            >
              {t('bulk.toCart', { count: counts.good, rows: format.number(counts.good) })}
              {counts.good > 0 && batch.totalMinor > 0 && ` · ${format.money(batch.totalMinor)}`}
            </Button>
          </>
        }
      />
      <Notices rows={rows} />
      <div className={classes.bar}>
        <nav className={classes.tabs} aria-label={t('list.tabs')}>
          {filters.map((filter) => (
            <button
              key={filter ?? 'all'}
              type="button"
              aria-current={only === filter ? 'true' : undefined}
              onClick={async () => {
                await rows.flush()
                setActive({ row: 0, column: 0 })
                setOnly(filter)
              }}
            >
              {t(`bulk.only.${filter ?? 'all'}`)} <span>{number(filter)}</span>
            </button>
          ))}
        </nav>
        <Button
          size="compact-md"
          variant="subtle"
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          onClick={() => rows.undo()}
          data-disabled={!rows.canUndo || undefined}
        >
          {t('bulk.undo')}
        </Button>
        <Button
          size="compact-md"
          variant="subtle"
          leftSection={<IconPlus size={16} aria-hidden />}
          loading={addRows.running}
          onClick={() => void addRows.run([{}])}
        >
          {t('bulk.addRow')}
        </Button>
        <Button size="compact-md" variant="subtle" onClick={() => setEverything(!everything)} aria-pressed={everything}>
          {t(everything ? 'bulk.fewerColumns' : 'bulk.allColumns')}
        </Button>
      </div>
      <CellBar rows={rows} field={columns[active.column]} place={active.row} />
      {rows.count === 0 ? (
        <MessagePanel kind="empty" title={t(`bulk.none.${only ?? 'all'}`)} />
      ) : (
        <BulkGrid
          key={only ?? 'all'}
          rows={rows}
          columns={columns}
          active={active}
          setActive={setActive}
          label={title}
          addRows={addRows.run}
        />
      )}
      <p className={classes.keys}>{t('bulk.keys')}</p>
    </>
  )
}

/** What concerns the whole batch: who sends, the same file again, problems that many rows share. */
function Notices({ rows }: { rows: BulkRows }) {
  const t = useT()
  const format = useFormat()
  const [choosing, setChoosing] = useState(false)
  const { batch } = rows
  const fix = useAction(async (code: string, column: BulkField) => {
    await rows.fixAll(code, column)
    notify.success(t('bulk.fixed'))
  })
  const change = useAction(async (what: { anyway?: true; senderAddressId?: string }) => {
    setChoosing(false)
    await rows.change(what)
  })
  const { sender } = batch
  const { refusal } = rows
  const twins = batch.common.filter(({ code }) => code.startsWith('duplicate_'))
  const shared = batch.common.filter(({ suggested, column }) => suggested > 0 && column !== null)
  return (
    <div className={classes.notices}>
      <p className={classes.sender} data-missing={!sender || undefined}>
        <span>{sender ? t('bulk.from', { name: sender.contactName, city: sender.city }) : t('bulk.noSender')}</span>
        <Button size="compact-md" variant="subtle" loading={change.running} onClick={() => setChoosing(true)}>
          {t('bulk.chooseSender')}
        </Button>
      </p>
      {choosing && (
        <Dialog title={t('bulk.chooseSender')} onClose={() => setChoosing(false)}>
          <AddressSearch
            label={t('bulk.sender')}
            kind="sender"
            autoFocus
            onPick={({ id }) => void change.run({ senderAddressId: id })}
          />
        </Dialog>
      )}
      {refusal && (
        <div className={classes.refused} role="alert">
          <p>
            <b>{t('bulk.refused', { rows: format.number(refusal.rows), count: refusal.rows })}</b>{' '}
            {t('bulk.refusedText', { message: refusal.message })}
          </p>
          <Button size="compact-md" onClick={() => rows.tryAgain()}>
            {t('bulk.tryAgain')}
          </Button>
          <Button size="compact-md" variant="subtle" onClick={() => rows.dropRefused()}>
            {t('bulk.dropChanges')}
          </Button>
        </div>
      )}
      {batch.sameFile && (
        <p className={classes.same}>
          {t('bulk.sameFile')} <Time at={batch.sameFile.createdAt} />.{' '}
          <TextLink to="/parcels/bulk/$id" params={{ id: batch.sameFile.id }}>
            {t('bulk.openThat')}
          </TextLink>
        </p>
      )}
      {twins.length > 0 && (
        <p className={classes.same}>
          {t('bulk.twins', { rows: format.number(twins.reduce((sum, { count }) => sum + count, 0)) })}{' '}
          <Button size="compact-md" loading={change.running} onClick={() => void change.run({ anyway: true })}>
            {t('bulk.anyway')}
          </Button>
        </p>
      )}
      {shared.length > 0 && (
        <ul className={classes.shared} aria-label={t('bulk.shared')}>
          {shared.map(({ code, column, suggested, message }) => (
            <li key={`${code}-${column}`}>
              <span>
                <b>{column && t(`bulk.column.${column}`)}</b> {message}
              </span>
              <Button
                size="compact-md"
                leftSection={<IconWand size={16} aria-hidden />}
                loading={fix.running}
                onClick={() => column && void fix.run(code, column)}
              >
                {t('bulk.fixAll', { rows: format.number(suggested) })}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Contradictions that may go as they are written. */
const insistOn: Readonly<Record<string, BulkRow['insisted']>> = {
  city_mismatch: ['receiver.city'],
  state_mismatch: ['receiver.state'],
  sender_mismatch: ['sender.city', 'sender.state'],
}

/** What is wrong with the cell that is meant, and with its row, with the words in full. */
function CellBar({ rows, field, place }: { rows: BulkRows; field: BulkField | undefined; place: number }) {
  const t = useT()
  const format = useFormat()
  const row = rows.at(place)
  const problems =
    row?.problems.filter(({ column }) => column === field || column === null || column === 'senderLabel') ?? []
  return (
    <div className={classes.cellBar} aria-live="polite">
      <span className={classes.where}>
        {row && `${t('bulk.row')} ${format.number(row.row)} · `}
        {field && t(`bulk.column.${field}`)}
      </span>
      {problems.length === 0 && <span className={classes.quiet}>{t('bulk.nothingWrong')}</span>}
      {problems.map(({ code, column, message, suggestion }) => (
        <span key={`${code}-${column}`} className={classes.wrong}>
          {message}
          {suggestion !== null && column && (
            <Button size="compact-md" onClick={() => rows.edit([{ place, cells: { [column]: suggestion } }])}>
              {t('bulk.use')} {suggestion}
            </Button>
          )}
          {row && insistOn[code] && (
            <Button
              size="compact-md"
              onClick={() => rows.mark(row.row, { shipAnyway: [...row.insisted, ...(insistOn[code] ?? [])] })}
            >
              {t('bulk.shipAnyway')}
            </Button>
          )}
          {row && code.startsWith('duplicate_') && (
            <>
              <Button size="compact-md" onClick={() => rows.mark(row.row, { anyway: true })}>
                {t('bulk.anywayRow')}
              </Button>
              <Button size="compact-md" variant="subtle" onClick={() => rows.mark(row.row, { remove: true })}>
                {t('bulk.removeRow')}
              </Button>
            </>
          )}
        </span>
      ))}
    </div>
  )
}
