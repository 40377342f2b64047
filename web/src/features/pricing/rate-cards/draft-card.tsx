import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { FieldError } from '@waybill/contract/ground/errors'
import { toFieldErrors } from '@waybill/contract/ground/validation'
import {
  getRateCard,
  listRateCards,
  publishRateCard,
  type RateCard,
  type RateLine,
  removeRateCard,
  updateRateCard,
} from '@waybill/contract/pricing/rate-cards'
import { useEffect, useState } from 'react'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { DateField } from '../../../components/fields/date-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { useUnsavedGuard } from '../../../components/form/use-unsaved-guard.ts'
import { Buttons, Grid } from '../../../components/layout/boxes.tsx'
import { SaveBar } from '../../../components/layout/save-bar.tsx'
import { Notice } from '../../../components/layout/text.tsx'
import { ApiError, call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useRefresh } from '../../../lib/query.ts'
import { CardHeading, SheetLink } from './card-heading.tsx'
import { RateLines } from './rate-lines.tsx'

export type CardWithLines = RateCard & { lines: RateLine[] }
type Lines = readonly RateLine[]

/**
 * The lines that are edited. Those of a newer version replace them, unless the user has changed something: then
 * `outdated` is true until the user takes over the newer ones or saves.
 */
function useEditedLines(card: CardWithLines) {
  const [base, setBase] = useState<{ version: number; lines: Lines }>(card)
  const [lines, setLines] = useState<Lines>(card.lines)
  const unsaved = lines !== base.lines
  const outdated = card.version > base.version || card.state !== 'draft'
  const takeOver = (version: number, next: Lines) => {
    setBase({ version, lines: next })
    setLines(next)
  }
  const takeNewer = () => takeOver(card.version, card.lines)
  if (card.version > base.version && !unsaved) takeNewer()
  // After a save, the card is loaded a moment later than its new version is known.
  const version = Math.max(card.version, base.version)
  return { version, lines, setLines, unsaved, outdated: outdated && unsaved, takeNewer, takeOver }
}

/** Saves the lines. Returns the problems by field path. */
function useSaveLines(card: CardWithLines, { version, lines, takeOver }: ReturnType<typeof useEditedLines>) {
  const t = useT()
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const atFields = (errors: readonly FieldError[]) =>
    setProblems(new Map(errors.map(({ field, message }) => [field, message])))
  const body = { version, name: card.name, lines: [...lines] }
  const sending = useSend(
    async () => {
      const saved = await call(updateRateCard, { params: { id: card.id }, body })
      takeOver(saved.version, lines)
    },
    {
      refresh: [getRateCard, listRateCards],
      // After a version conflict, the newer version leads to the notice above the buttons.
      refreshOnError: [getRateCard],
      success: t('ratesPage.saved'),
      onError: (error) => {
        if (!(error instanceof ApiError)) return false
        if (error.errors.length > 0) atFields(error.errors)
        return error.errors.length > 0 || error.code === 'version_conflict'
      },
    },
  )
  function save() {
    // An empty cell holds NaN, which is null in JSON: then it is reported as missing.
    const input: unknown = JSON.parse(JSON.stringify(body))
    const parseResult = updateRateCard.body.safeParse(input, { reportInput: true })
    if (parseResult.success) void sending.send()
    else atFields(toFieldErrors(parseResult.error.issues, t))
  }
  return { save, pending: sending.pending, problems, clearProblems: () => setProblems(new Map()) }
}

type Props = { card: CardWithLines; onUnsaved: (unsaved: boolean) => void }

/** A draft with its lines, which are saved together. */
export function DraftCard({ card, onUnsaved }: Props) {
  const t = useT()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const edited = useEditedLines(card)
  const { lines, unsaved } = edited
  const { save, pending, problems, clearProblems } = useSaveLines(card, edited)
  const [publishing, setPublishing] = useState(false)
  useUnsavedGuard(unsaved && !pending)
  useEffect(() => onUnsaved(unsaved), [unsaved, onUnsaved])
  const remove = useSend(() => call(removeRateCard, { params: { id: card.id } }), {
    confirm: {
      title: t('ratesPage.discardTitle', { code: card.code, edition: card.edition }),
      message: t('ratesPage.discardText'),
      action: t('ratesPage.discard'),
    },
    onSuccess: async () => {
      // Navigates first: this page would refetch the deleted card.
      await navigate({ to: '/staff/rates', ignoreBlocker: true })
      await refresh(listRateCards)
    },
  })

  return (
    <>
      <CardHeading
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
            {!unsaved && <SheetLink card={card} />}
            {!unsaved && (
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
          edited.setLines(next)
          clearProblems()
        }}
      />
      {unsaved && (
        <SaveBar style={{ marginBlockStart: 16 }}>
          {edited.outdated && <NewerVersion card={card} takeNewer={edited.takeNewer} />}
          <p>{t('ratesPage.unsaved')}</p>
          <Button
            onClick={() => {
              edited.takeNewer()
              clearProblems()
            }}
          >
            {t('ratesPage.undo')}
          </Button>
          {card.state === 'draft' && (
            <Button variant="filled" loading={pending} onClick={save}>
              {t('actions.save')}
            </Button>
          )}
        </SaveBar>
      )}
      {publishing && <PublishDialog card={{ ...card, version: edited.version }} onClose={() => setPublishing(false)} />}
    </>
  )
}

/** Someone else has saved or published the draft while this user was editing it. */
function NewerVersion({ card, takeNewer }: { card: CardWithLines; takeNewer: () => void }) {
  const t = useT()
  const isDraft = card.state === 'draft'
  return (
    <Notice as="div" tone="warning" role="alert">
      <p>{t(isDraft ? 'unsaved.conflict' : 'ratesPage.publishedMeanwhile')}</p>
      <Buttons>
        <Button onClick={takeNewer}>{t(isDraft ? 'ratesPage.showTheirs' : 'ratesPage.showPublished')}</Button>
      </Buttons>
    </Notice>
  )
}

function PublishDialog({ card, onClose }: { card: CardWithLines; onClose: () => void }) {
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
    onError: (error) => {
      // A colleague changed the draft: the page shows their lines, and publishing them is a new decision.
      if (error instanceof ApiError && error.code === 'version_conflict') onClose()
      return false
    },
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
