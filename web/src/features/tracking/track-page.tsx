import { IconSearch } from '@tabler/icons-react'
import { normalizeTrackingNumber, numberSeparators } from '@waybill/contract/ground/tracking-number'
import { trackingRequest } from '@waybill/contract/tracking/requests'
import type { PublicTracking, TrackingAnswer } from '@waybill/contract/tracking/tracking'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { Panel, Row, Stack } from '../../components/layout/boxes.tsx'
import { Note, Notice } from '../../components/layout/text.tsx'
import { send } from '../../lib/api.ts'
import { useTitle } from '../../lib/browser/title.ts'
import { useT } from '../../lib/i18n.ts'
import { useLiveTracking } from './live.ts'
import { NotFound } from './not-found.tsx'
import classes from './track.module.css'
import { TrackedParcel } from './tracked-parcel.tsx'

/** The maximum number of tracking numbers per call (docs/rules/parcels.md). */
const maxNumbers = 30

/** Splits pasted text into numbers. Spaces inside a number are kept. */
function numbersIn(text: string): string[] {
  const parts = text.split(numberSeparators).map(normalizeTrackingNumber)
  return [...new Set(parts.filter((part) => part !== ''))]
}

function numbersOfAddress(): string[] {
  return numbersIn(new URLSearchParams(window.location.search).get('no') ?? '').slice(0, maxNumbers)
}

function writeAddress(numbers: readonly string[]): void {
  const url = new URL(window.location.href)
  url.searchParams.set('no', numbers.join(','))
  window.history.replaceState(null, '', url)
}

/** Public parcel tracking: up to 30 numbers, no login, no settings, live. */
export function TrackPage() {
  const t = useT()
  useTitle(t('trackPage.title'))
  const [text, setText] = useState(() => numbersOfAddress().join('\n'))
  const [answer, setAnswer] = useState<TrackingAnswer | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  const input = useRef<HTMLTextAreaElement>(null)
  const latestRequest = useRef(0)

  const track = useCallback(
    async (numbers: string[], quiet = false) => {
      const turn = ++latestRequest.current
      setBusy(!quiet)
      setProblem(null)
      try {
        const response = await send(trackingRequest, { query: { no: numbers.join(',') } })
        const tracking: TrackingAnswer = await response.json()
        if (turn !== latestRequest.current) return
        setAnswer(tracking)
        setAnnouncement(t('trackPage.found', { count: tracking.found.length }))
      } catch (error) {
        if (turn === latestRequest.current) setProblem((error as Error).message)
      } finally {
        if (turn === latestRequest.current) setBusy(false)
      }
    },
    [t],
  )

  // A link with numbers searches at once. Another language searches again, because the messages come from the server.
  useEffect(() => {
    const numbers = numbersOfAddress()
    if (numbers.length > 0) void track(numbers)
  }, [track])

  function submit(event: FormEvent) {
    event.preventDefault()
    const numbers = numbersIn(text)
    if (numbers.length === 0 || numbers.length > maxNumbers) {
      setProblem(
        numbers.length === 0
          ? t('trackPage.none')
          : t('trackPage.tooMany', { count: numbers.length, most: maxNumbers }),
      )
      input.current?.focus()
      return
    }
    writeAddress(numbers)
    void track(numbers)
  }

  function instead(wrong: string, right: string) {
    const numbers = [...new Set(numbersOfAddress().map((number) => (number === wrong ? right : number)))]
    setText(numbers.join('\n'))
    writeAddress(numbers)
    void track(numbers)
  }

  useLiveTracking(
    answer?.found.map((parcel) => parcel.trackingNumber) ?? [],
    (update: PublicTracking) => {
      setAnswer(
        (before) =>
          before && {
            ...before,
            found: before.found.map((one) => (one.trackingNumber === update.trackingNumber ? update : one)),
          },
      )
      setAnnouncement(t('trackPage.moved', { number: update.trackingNumber }))
    },
    () => void track(numbersOfAddress(), true),
  )

  const numbers = numbersIn(text)
  return (
    <div className={classes.main} data-searched={numbersOfAddress().length > 0 || undefined}>
      <h1 className={classes.title}>{t('trackPage.heading')}</h1>
      <Panel as="form" gap={12} onSubmit={submit} noValidate>
        <div>
          <label className={classes.label} htmlFor="track-numbers">
            {t('trackPage.label')}
          </label>
          <textarea
            ref={input}
            id="track-numbers"
            className={classes.numbers}
            rows={Math.min(8, Math.max(1, text.split('\n').length))}
            value={text}
            placeholder={t('trackPage.placeholder')}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            aria-describedby="track-help"
            aria-invalid={problem !== null && answer === null}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              // Enter submits, because most people track one number; Shift+Enter adds a line.
              if (event.key === 'Enter' && !event.shiftKey) {
                event.preventDefault()
                event.currentTarget.form?.requestSubmit()
              }
            }}
          />
        </div>
        <Row justify="between">
          <Note id="track-help">
            {numbers.length > 1
              ? t('trackPage.count', { count: numbers.length, most: maxNumbers })
              : t('trackPage.help', { most: maxNumbers })}
          </Note>
          <button type="submit" className={classes.submit} aria-busy={busy}>
            <IconSearch size={18} aria-hidden />
            {busy ? t('trackPage.busy') : t('trackPage.submit')}
          </button>
        </Row>
        {problem !== null && (
          <Notice tone="danger" role="alert">
            {problem}
          </Notice>
        )}
      </Panel>
      <p className="wb-hidden" role="status">
        {announcement}
      </p>
      <Stack style={{ marginBlockStart: 24 }}>
        {answer?.notFound.map((missing) => (
          <NotFound key={missing.number} missing={missing} onInstead={instead} />
        ))}
        {answer?.found.map((parcel) => (
          <TrackedParcel
            key={parcel.trackingNumber}
            parcel={parcel}
            timezone={answer.timezone}
            open={answer.found.length <= 3}
          />
        ))}
      </Stack>
    </div>
  )
}
