import { Button } from '@mantine/core'
import {
  recentScans,
  type ScanEvent,
  type Scanned,
  scan,
  scanEvents,
  staffParcelByNumber,
} from '@waybill/contract/scans'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../components/notify.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useOnce } from '../../lib/once.ts'
import { useChanged } from '../../lib/query.ts'
import { beep } from '../../lib/sound.ts'
import { CameraScanner } from './camera-scanner.tsx'
import { RecentScans } from './recent-scans.tsx'
import classes from './scan.module.css'
import { type ScanDetails, ScanDetailsForm } from './scan-details.tsx'
import { scannedNumber } from './scanned-number.ts'
import { StationChoice, useChosenStation } from './station-choice.tsx'
import { type HeldElsewhere, heldElsewhere, TakeOverDialog } from './take-over-dialog.tsx'

/** What the scanner is set to: one event for a whole pile, or asked for each parcel. */
type Mode = ScanEvent | 'ask'
type Feedback = { well: boolean; number: string; text: string }
type Asking = { number: string; events: readonly ScanEvent[] }
type Wanted = { number: string; event: ScanEvent }

/** Events that need more than the number: where to, who took it, why not. */
const withDetails: readonly ScanEvent[] = ['departed', 'delivered', 'handed_over', 'attempt_failed', 'return_received']

/** One field that always has the focus; set what you are doing, then scan number after number. Colour, sound and words say how it went. */
export function ScanPage() {
  const t = useT()
  const changed = useChanged()
  const field = useRef<HTMLInputElement>(null)
  const [mode, setMode] = useState<Mode>('ask')
  const [number, setNumber] = useState('')
  const [feedback, setFeedback] = useState<Feedback | null>(null)
  const [asking, setAsking] = useState<Asking | null>(null)
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const [busy, setBusy] = useState(false)
  const [camera, setCamera] = useState(false)
  const [stationId, chooseStation] = useChosenStation()
  const once = useOnce()
  const [held, setHeld] = useState<{ held: HeldElsewhere; wanted: Wanted; details: ScanDetails } | null>(null)

  const ready = asking === null && wanted === null && held === null
  useEffect(() => {
    if (ready && !busy) field.current?.focus()
  }, [ready, busy])

  function tell(well: boolean, about: string, text: string) {
    beep(well)
    setFeedback({ well, number: about, text })
  }

  async function report({ number: reported, event }: Wanted, details: ScanDetails = {}) {
    setBusy(true)
    try {
      const body = { trackingNumber: reported, event, ...(stationId ? { stationId } : {}), ...details }
      const done: Scanned = await once({ body }, (request) => call(scan, request))
      const right = done.rightStation
      tell(
        right === null,
        done.trackingNumber,
        [t(`event.${event}`), right && t('scanPage.misrouted', { station: right.name })].filter(Boolean).join(' · '),
      )
      setWanted(null)
      await changed(recentScans)
    } catch (error) {
      tell(false, reported, messageOf(error))
      const elsewhere = heldElsewhere(error)
      if (elsewhere) setHeld({ held: elsewhere, wanted: { number: reported, event }, details })
      // What was typed about it (a name, a signature) stays for another try; without such, the next number can be scanned.
      if (!withDetails.includes(event)) setWanted(null)
    } finally {
      setAsking(null)
      setBusy(false)
    }
  }

  function begin(step: Wanted) {
    setAsking(null)
    if (withDetails.includes(step.event)) setWanted(step)
    else void report(step)
  }

  async function take(taken: string) {
    if (taken === '' || busy) return
    if (mode !== 'ask') {
      begin({ number: taken, event: mode })
      return
    }
    setBusy(true)
    try {
      const parcel = await call(staffParcelByNumber, { params: { no: taken } })
      setFeedback(null)
      if (parcel.allowedEvents.length === 0) tell(false, taken, t('scanPage.nothingAllowed'))
      else setAsking({ number: parcel.trackingNumber ?? taken, events: parcel.allowedEvents })
    } catch (error) {
      tell(false, taken, messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    const typed = scannedNumber(number)
    if (busy) return
    setNumber('')
    // A new number is a new beginning.
    setAsking(null)
    setWanted(null)
    await take(typed)
  }

  return (
    <>
      <PageHeader title={t('scanPage.title')} />
      <div className={classes.setting}>
        <StationChoice value={stationId} onChange={chooseStation} />
        <fieldset className={classes.modes}>
          <legend className={classes.modesLabel}>{t('scanPage.mode')}</legend>
          <div className={classes.modeButtons}>
            {(['ask', ...scanEvents] as const).map((choice) => (
              <button
                key={choice}
                type="button"
                className={classes.mode}
                aria-pressed={mode === choice}
                onClick={() => {
                  setMode(choice)
                  setAsking(null)
                  setWanted(null)
                  field.current?.focus()
                }}
              >
                {t(`scanPage.event.${choice}`)}
              </button>
            ))}
          </div>
        </fieldset>
      </div>
      <form className={classes.form} onSubmit={(event) => void submit(event)}>
        <label className={classes.label} htmlFor="scan-number">
          {t('scanPage.number')}
        </label>
        <div className={classes.row}>
          <input
            ref={field}
            id="scan-number"
            className={classes.number}
            value={number}
            onChange={(event) => setNumber(event.target.value)}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            enterKeyHint="send"
          />
          <Button type="submit" variant="filled" size="lg" loading={busy}>
            {t('scanPage.report')}
          </Button>
        </div>
        <Button variant="subtle" color="gray" aria-pressed={camera} onClick={() => setCamera(!camera)}>
          {camera ? t('scanPage.cameraOff') : t('scanPage.camera')}
        </Button>
        {camera && <CameraScanner paused={!ready || busy} onCode={(code) => void take(scannedNumber(code))} />}
      </form>
      <div className={classes.feedback} data-well={feedback?.well} role="status">
        {feedback ? (
          <>
            <strong>{feedback.number}</strong>
            <span>{feedback.text}</span>
          </>
        ) : (
          <span className={classes.quiet}>{t('scanPage.ready')}</span>
        )}
      </div>
      {asking && (
        <section className={classes.panel} aria-label={t('scanPage.whatNow')}>
          <h2>{t('scanPage.whatNow')}</h2>
          <div className={classes.modeButtons}>
            {asking.events.map((event, index) => (
              <Button
                key={event}
                size="lg"
                autoFocus={index === 0}
                onClick={() => begin({ number: asking.number, event })}
              >
                {t(`scanPage.event.${event}`)}
              </Button>
            ))}
            <Button size="lg" variant="subtle" onClick={() => setAsking(null)}>
              {t('actions.cancel')}
            </Button>
          </div>
        </section>
      )}
      {wanted && (
        <ScanDetailsForm
          key={`${wanted.number}${wanted.event}`}
          event={wanted.event}
          number={wanted.number}
          onCancel={() => setWanted(null)}
          onDone={(details) => report(wanted, details)}
        />
      )}
      {held && (
        <TakeOverDialog
          held={held.held}
          onClose={() => setHeld(null)}
          onTakeOver={async (reason) => {
            setHeld(null)
            await report(held.wanted, { ...held.details, takeOver: { reason } })
          }}
        />
      )}
      <RecentScans onUndone={(undone) => tell(true, undone, t('scanPage.undone'))} />
    </>
  )
}
