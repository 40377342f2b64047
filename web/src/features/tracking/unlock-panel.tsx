import { unlockedRequest, unlockMinutes, unlockRequest } from '@waybill/contract/tracking/requests'
import type { TrackingUnlock, UnlockedDelivery } from '@waybill/contract/tracking/unlock'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { PlainButton } from '../../components/buttons/plain-button.tsx'
import { Photos } from '../../components/display/photos.tsx'
import { FieldRow, Row, Section } from '../../components/layout/boxes.tsx'
import { Note, Notice, Quiet } from '../../components/layout/text.tsx'
import { send } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import classes from './extra-form.module.css'
import type { ExtraProps } from './extra-props.ts'
import track from './track.module.css'

/** The receiver unlocks the full address and the proof of delivery. The token stays in memory only. */
export default function UnlockPanel({ parcel, format }: ExtraProps) {
  const t = useT()
  const [unlocked, setUnlocked] = useState<TrackingUnlock | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const token = unlocked?.token

  useEffect(() => {
    if (!token) return
    // Not until `endsAt`, because the clock of this device may be wrong.
    const lock = setTimeout(() => setUnlocked(null), unlockMinutes * 60_000)
    return () => clearTimeout(lock)
  }, [token])

  // The proof appears when the rider reports the delivery while the page is open.
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again whenever the parcel moves
  useEffect(() => {
    if (!token) return
    const stop = new AbortController()
    send(unlockedRequest, { body: { token }, signal: stop.signal })
      .then((response) => response.json())
      .then((delivery: UnlockedDelivery) => setUnlocked((before) => before && { ...before, delivery }))
      .catch((error: Error) => {
        if (stop.signal.aborted) return
        setUnlocked(null)
        setProblem(error.message)
      })
    return () => stop.abort()
  }, [parcel.status, parcel.events.length])

  return (
    <Section title={t('trackPage.unlock.title')}>
      {unlocked ? (
        <Delivery unlock={unlocked} format={format} onLock={() => setUnlocked(null)} />
      ) : (
        <UnlockForm
          number={parcel.trackingNumber}
          problem={problem}
          onProblem={setProblem}
          onUnlock={(unlock) => {
            setProblem(null)
            setUnlocked(unlock)
          }}
        />
      )}
    </Section>
  )
}

type FormProps = {
  number: string
  problem: string | null
  onProblem: (problem: string | null) => void
  onUnlock: (unlock: TrackingUnlock) => void
}

function UnlockForm({ number, problem, onProblem, onUnlock }: FormProps) {
  const t = useT()
  const id = useId()
  const [postcode, setPostcode] = useState('')
  const [phoneDigits, setPhoneDigits] = useState('')
  const [busy, setBusy] = useState(false)
  const digits = useRef<HTMLInputElement>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!/^\d{4}$/.test(phoneDigits.normalize('NFKC').trim())) {
      onProblem(t('trackPage.unlock.digitsMissing'))
      digits.current?.focus()
      return
    }
    setBusy(true)
    onProblem(null)
    try {
      const response = await send(unlockRequest, { body: { number, postcode, phoneDigits } })
      onUnlock((await response.json()) as TrackingUnlock)
    } catch (error) {
      onProblem((error as Error).message)
      setBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className={classes.form}>
      <Note>{t('trackPage.unlock.lead')}</Note>
      <FieldRow min={180}>
        <div>
          <label htmlFor={`${id}p`}>{t('trackPage.unlock.postcode')}</label>
          <input
            id={`${id}p`}
            className={classes.field}
            value={postcode}
            maxLength={12}
            autoComplete="off"
            aria-describedby={problem === null ? undefined : `${id}e`}
            onChange={(event) => setPostcode(event.target.value)}
          />
        </div>
        <div>
          <label htmlFor={`${id}d`}>{t('trackPage.unlock.phoneDigits')}</label>
          <input
            ref={digits}
            id={`${id}d`}
            className={classes.field}
            value={phoneDigits}
            maxLength={4}
            inputMode="numeric"
            autoComplete="off"
            aria-describedby={problem === null ? undefined : `${id}e`}
            onChange={(event) => setPhoneDigits(event.target.value)}
          />
        </div>
        <button type="submit" className={track.submit} aria-busy={busy} disabled={busy}>
          {t(busy ? 'trackPage.unlock.busy' : 'trackPage.unlock.submit')}
        </button>
      </FieldRow>
      {problem !== null && (
        <Notice tone="danger" role="alert" id={`${id}e`}>
          {problem}
        </Notice>
      )}
    </form>
  )
}

type DeliveryProps = Pick<ExtraProps, 'format'> & { unlock: TrackingUnlock; onLock: () => void }

function Delivery({ unlock: { delivery, endsAt }, format, onLock }: DeliveryProps) {
  const t = useT()
  const { receiver, proof } = delivery
  const heading = useRef<HTMLHeadingElement>(null)
  // The form and its focus no longer exist; a screen reader continues with the unlocked content.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={classes.form}>
      <div>
        <h3 ref={heading} tabIndex={-1}>
          {t('trackPage.unlock.address')}
        </h3>
        <address className={classes.address}>
          {[
            receiver.contactName,
            receiver.company,
            receiver.line1,
            receiver.line2,
            [receiver.postcode, receiver.city].filter(Boolean).join(' '),
            receiver.state,
          ]
            .filter(Boolean)
            .map((line) => (
              <span key={line}>{line}</span>
            ))}
        </address>
      </div>
      <div>
        <h3>{t('trackPage.unlock.proof')}</h3>
        {proof ? (
          <>
            <p>{t('trackPage.unlock.receivedBy', { name: proof.recipientName, at: format.dateTime(proof.at) })}</p>
            {proof.signaturePath && (
              <svg
                className={classes.signature}
                viewBox="0 0 600 200"
                role="img"
                aria-label={t('trackPage.unlock.signature', { name: proof.recipientName })}
              >
                <path d={proof.signaturePath} />
              </svg>
            )}
            <Photos photos={proof.photos} alt={(place) => t('trackPage.unlock.photo', { number: place + 1 })} />
          </>
        ) : (
          <p>{t('trackPage.unlock.noProof')}</p>
        )}
      </div>
      <Row justify="between">
        <Quiet>{t('trackPage.unlock.until', { time: format.time(endsAt) })}</Quiet>
        <PlainButton onClick={onLock}>{t('trackPage.unlock.lock')}</PlainButton>
      </Row>
    </div>
  )
}
