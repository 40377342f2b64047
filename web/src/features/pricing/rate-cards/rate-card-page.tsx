import { Button } from '@mantine/core'
import { IconCopyPlus, IconFileSpreadsheet, IconTrash } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { FieldError } from '@waybill/contract/ground/errors'
import { toFieldErrors } from '@waybill/contract/ground/validation'
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
import { useState } from 'react'
import { ButtonLink, TextLink } from '../../../components/buttons/link.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { DateField } from '../../../components/fields/date-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Grid } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { ApiError, call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall, useRefresh } from '../../../lib/query.ts'
import { CardState, useValidity } from './rate-cards.tsx'
import { RateLines } from './rate-lines.tsx'

type Card = RateCard & { lines: RateLine[] }

/** One version of a rate card: a draft can be edited and published, other versions can be read and copied. */
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
  const { name, state } = card
  return (
    <PageHeader
      title={t('ratesPage.cardName', { code: card.code, edition: card.edition })}
      description={
        <>
          <TextLink to="/staff/rates">{t('ratesPage.title')}</TextLink> · {name} · <CardState state={state} />{' '}
          {validity(card)}
        </>
      }
      actions={actions}
    />
  )
}

/** Export and import of the lines. Leaving the page would lose unsaved lines. */
function SheetLink({ card }: { card: Card }) {
  const t = useT()
  return (
    <ButtonLink
      to="/staff/sheets/$kind"
      params={{ kind: 'rate-lines' }}
      search={{ card: card.id }}
      leftSection={<IconFileSpreadsheet size={18} aria-hidden />}
    >
      {t('sheets.open')}
    </ButtonLink>
  )
}

function Published({ card }: { card: Card }) {
  const t = useT()
  const navigate = useNavigate()
  const copy = useSend(() => call(createRateCard, { body: { fromId: card.id } }), {
    refresh: [listRateCards],
    onSuccess: ({ id }) => navigate({ to: '/staff/rates/$id', params: { id } }),
  })
  return (
    <>
      <Heading
        card={card}
        actions={
          <>
            <SheetLink card={card} />
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
  const refresh = useRefresh()
  const [lines, setLines] = useState<RateLine[]>(card.lines)
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const [publishing, setPublishing] = useState(false)
  const dirty = lines !== card.lines

  const atFields = (errors: readonly FieldError[]) =>
    setProblems(new Map(errors.map(({ field, message }) => [field, message])))
  const save = useSend(
    () => call(updateRateCard, { params: { id: card.id }, body: { version: card.version, name: card.name, lines } }),
    {
      refresh: [getRateCard, listRateCards],
      success: t('ratesPage.saved'),
      onError: (error) => {
        if (!(error instanceof ApiError) || error.errors.length === 0) return false
        atFields(error.errors)
        return true
      },
    },
  )
  function saveValid() {
    const body = { version: card.version, name: card.name, lines }
    const parseResult = updateRateCard.body.safeParse(body, { reportInput: true })
    if (parseResult.success) void save.send()
    else atFields(toFieldErrors(parseResult.error.issues, t))
  }
  const remove = useSend(() => call(removeRateCard, { params: { id: card.id } }), {
    confirm: {
      title: t('ratesPage.discardTitle', { code: card.code, edition: card.edition }),
      message: t('ratesPage.discardText'),
      action: t('ratesPage.discard'),
    },
    onSuccess: async () => {
      // Navigates first: this page would refetch the deleted card.
      await navigate({ to: '/staff/rates' })
      await refresh(listRateCards)
    },
  })

  return (
    <>
      <Heading
        card={card}
        actions={
          <>
            <Button
              leftSection={<IconTrash size={18} aria-hidden />}
              loading={remove.pending}
              onClick={() => void remove.send()}
            >
              {t('ratesPage.discard')}
            </Button>
            {!dirty && <SheetLink card={card} />}
            {dirty ? (
              <Button variant="filled" loading={save.pending} onClick={saveValid}>
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
  const form = useContractForm<
    typeof publishRateCard.body,
    { version: number; validFrom: string | null; validTo: string | null }
  >({
    schema: publishRateCard.body,
    initial: { version: card.version, validFrom: null, validTo: null },
    prepare: (values) => ({ ...values, validTo: values.validTo || null }),
    onSubmit: (body) => call(publishRateCard, { params: { id: card.id }, body }),
    refresh: [getRateCard, listRateCards],
    success: (_, { validFrom }) => t('ratesPage.published', { code: card.code, day: format.day(validFrom) }),
    onSuccess: onClose,
  })
  return (
    <SaveDialog
      title={t('ratesPage.publishTitle', { code: card.code, edition: card.edition })}
      onClose={onClose}
      form={form}
      save={t('ratesPage.publish')}
    >
      <p>{t('ratesPage.publishText')}</p>
      <Grid>
        <DateField field={form.field('validFrom')} min={format.today()} />
        <DateField field={form.field('validTo')} min={format.today()} help={t('ratesPage.openEnd')} />
      </Grid>
    </SaveDialog>
  )
}
