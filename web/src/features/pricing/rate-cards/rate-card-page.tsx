import { Button } from '@mantine/core'
import { IconCopyPlus, IconDownload, IconTrash, IconUpload } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { fieldErrorsOf } from '@waybill/contract/ground/validation'
import {
  createRateCard,
  getRateCard,
  listRateCards,
  publishRateCard,
  type RateCard,
  type RateLine,
  removeRateCard,
  updateRateCard,
} from '@waybill/contract/pricing/rate-cards'
import { type ChangeEvent, useRef, useState } from 'react'
import { confirm } from '../../../components/confirm.tsx'
import { Dialog, DialogFoot } from '../../../components/dialog.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { DateField } from '../../../components/form/date-field.tsx'
import { TextLink } from '../../../components/link.tsx'
import { Loading } from '../../../components/loading.tsx'
import { ErrorPanel } from '../../../components/message-panel.tsx'
import { notify } from '../../../components/notify.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { ApiError, call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall, useChanged } from '../../../lib/query.ts'
import { CardState, useValidity } from './rate-cards.tsx'
import { RateLines } from './rate-lines.tsx'
import { csvOf, linesOf } from './rate-table.ts'
import classes from './rates.module.css'

type Card = RateCard & { lines: RateLine[] }

/** One version of a rate card: a draft to write and publish, any other to read and to copy. */
export function RateCardPage() {
  const { id } = useParams({ from: '/staff/staff/rates/$id' })
  const { data, error, refetch } = useCall(getRateCard, { params: { id } })
  if (error) return <ErrorPanel error={error} retry={() => void refetch()} />
  if (!data) return <Loading />
  return data.state === 'draft' ? <Draft key={`${id} ${data.version}`} card={data} /> : <Published card={data} />
}

function Heading({ card, actions }: { card: Card; actions: React.ReactNode }) {
  const t = useT()
  const validity = useValidity()
  return (
    <PageHeader
      title={t('ratesPage.cardName', { code: card.code, edition: card.edition })}
      description={
        <>
          <TextLink to="/staff/rates">{t('ratesPage.title')}</TextLink> · {card.name} · <CardState state={card.state} />{' '}
          {validity(card)}
        </>
      }
      actions={actions}
    />
  )
}

/** Lets the browser save the lines as a file. */
function DownloadButton({ card, lines }: { card: Card; lines: readonly RateLine[] }) {
  const t = useT()
  const save = () => {
    const address = URL.createObjectURL(new Blob([csvOf(lines)], { type: 'text/csv' }))
    const link = document.createElement('a')
    link.href = address
    link.download = `${card.code}-${card.edition}.csv`
    link.click()
    URL.revokeObjectURL(address)
  }
  return (
    <Button leftSection={<IconDownload size={18} aria-hidden />} onClick={save}>
      {t('ratesPage.export')}
    </Button>
  )
}

function Published({ card }: { card: Card }) {
  const t = useT()
  const navigate = useNavigate()
  const changed = useChanged()
  const copy = useSend(async () => {
    const { id } = await call(createRateCard, { body: { fromId: card.id } })
    await changed(listRateCards)
    await navigate({ to: '/staff/rates/$id', params: { id } })
  })
  return (
    <>
      <Heading
        card={card}
        actions={
          <>
            <DownloadButton card={card} lines={card.lines} />
            <Button
              variant="filled"
              leftSection={<IconCopyPlus size={18} aria-hidden />}
              loading={copy.pending}
              onClick={() => void copy.send()}
            >
              {t('ratesPage.newVersion')}
            </Button>
          </>
        }
      />
      <RateLines lines={card.lines} currency={card.currency} problems={new Map()} />
    </>
  )
}

function Draft({ card }: { card: Card }) {
  const t = useT()
  const navigate = useNavigate()
  const changed = useChanged()
  const [lines, setLines] = useState<RateLine[]>(card.lines)
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const [publishing, setPublishing] = useState(false)
  const file = useRef<HTMLInputElement>(null)
  const dirty = lines !== card.lines

  const save = useSend(async () => {
    const body = { version: card.version, name: card.name, lines }
    const parsed = updateRateCard.body.safeParse(body, { reportInput: true })
    const found = parsed.success ? [] : fieldErrorsOf(parsed.error.issues, t)
    if (found.length > 0) {
      setProblems(new Map(found.map(({ field, message }) => [field, message])))
      return
    }
    try {
      await call(updateRateCard, { params: { id: card.id }, body })
    } catch (error) {
      if (!(error instanceof ApiError) || error.errors.length === 0) throw error
      setProblems(new Map(error.errors.map(({ field, message }) => [field, message])))
      return
    }
    await changed(getRateCard, listRateCards)
    notify.success(t('ratesPage.saved'))
  })
  const remove = useSend(async () => {
    const sure = await confirm({
      title: t('ratesPage.discardTitle', { code: card.code, edition: card.edition }),
      message: t('ratesPage.discardText'),
      action: t('ratesPage.discard'),
    })
    if (!sure) return
    await call(removeRateCard, { params: { id: card.id } })
    await navigate({ to: '/staff/rates' })
    await changed(listRateCards)
  })
  const read = async (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.currentTarget.files?.[0]
    event.currentTarget.value = ''
    if (!chosen) return
    const { lines: found, problems: wrong } = linesOf(await chosen.text())
    if (wrong.length > 0 || found.length === 0) {
      const shown = wrong.slice(0, 5).map(({ row, column }) => t('ratesPage.importCell', { row, column }))
      notify.error([t('ratesPage.importWrong'), ...shown].join('\n'))
      return
    }
    setLines(found)
    setProblems(new Map())
    notify.info(t('ratesPage.imported', { count: found.length }))
  }

  return (
    <>
      <Heading
        card={card}
        actions={
          <>
            <input
              ref={file}
              type="file"
              accept=".csv,text/csv"
              className={classes.hidden}
              aria-label={t('ratesPage.import')}
              onChange={(event) => void read(event)}
            />
            <Button
              leftSection={<IconTrash size={18} aria-hidden />}
              loading={remove.pending}
              onClick={() => void remove.send()}
            >
              {t('ratesPage.discard')}
            </Button>
            <Button leftSection={<IconUpload size={18} aria-hidden />} onClick={() => file.current?.click()}>
              {t('ratesPage.import')}
            </Button>
            <DownloadButton card={card} lines={lines} />
            {dirty ? (
              <Button variant="filled" loading={save.pending} onClick={() => void save.send()}>
                {t('actions.save')}
              </Button>
            ) : (
              <Button variant="filled" onClick={() => setPublishing(true)}>
                {t('ratesPage.publish')}
              </Button>
            )}
          </>
        }
      />
      <RateLines
        lines={lines}
        currency={card.currency}
        problems={problems}
        onChange={(next) => {
          setLines(next)
          setProblems(new Map())
        }}
      />
      {publishing && <PublishDialog card={card} onClose={() => setPublishing(false)} />}
    </>
  )
}

function PublishDialog({ card, onClose }: { card: Card; onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const changed = useChanged()
  const form = useContractForm<
    typeof publishRateCard.body,
    { version: number; validFrom: string | null; validTo: string | null }
  >({
    schema: publishRateCard.body,
    initial: { version: card.version, validFrom: null, validTo: null },
    prepare: (values) => ({ ...values, validTo: values.validTo || null }),
    onSubmit: async (body) => {
      await call(publishRateCard, { params: { id: card.id }, body })
      await changed(getRateCard, listRateCards)
      notify.success(t('ratesPage.published', { code: card.code, day: format.day(body.validFrom) }))
      onClose()
    },
  })
  return (
    <Dialog title={t('ratesPage.publishTitle', { code: card.code, edition: card.edition })} onClose={onClose}>
      <form {...form.props} className={classes.form}>
        <p>{t('ratesPage.publishText')}</p>
        <div className={classes.two}>
          <DateField field={form.field('validFrom')} min={format.today()} />
          <DateField field={form.field('validTo')} min={format.today()} help={t('ratesPage.openEnd')} />
        </div>
        <DialogFoot>
          <Button onClick={onClose}>{t('actions.cancel')}</Button>
          <Button type="submit" variant="filled" loading={form.submitting}>
            {t('ratesPage.publish')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
