import { isTrackingEnded } from '@waybill/contract/ground/status/tracking-status'
import { followRequest } from '@waybill/contract/tracking/requests'
import { type FormEvent, useId, useRef, useState } from 'react'
import { FieldRow, Section } from '../../../components/layout/boxes.tsx'
import { Note, Notice } from '../../../components/layout/text.tsx'
import { send } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import classes from '../extra-form.module.css'
import type { ExtraProps } from '../extra-props.ts'
import track from '../track.module.css'
import { BrowserFollow } from './browser-follow.tsx'

/**
 * Follows a parcel with this browser, or by email: the mail to an address has the link that confirms following.
 */
export default function FollowPanel({ parcel }: ExtraProps) {
  const t = useT()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const isOver = isTrackingEnded(parcel.trackingStatus)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (email.trim() === '') {
      setProblem(t('trackPage.follow.emailMissing'))
      input.current?.focus()
      return
    }
    setBusy(true)
    setProblem(null)
    try {
      await send(followRequest, { body: { number: parcel.trackingNumber, email } })
      setSentTo(email.trim())
    } catch (error) {
      setProblem((error as Error).message)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Section title={t('trackPage.follow.title')}>
      {sentTo !== null && (
        <Notice tone="success" role="status">
          {t('trackPage.follow.sent', { email: sentTo })}
        </Notice>
      )}
      {sentTo === null && isOver && <Note>{t('trackPage.follow.ended')}</Note>}
      {sentTo === null && !isOver && (
        <form onSubmit={(event) => void submit(event)} noValidate className={classes.form}>
          <Note>{t('trackPage.follow.lead')}</Note>
          <FieldRow min={220}>
            <div>
              <label htmlFor={id}>{t('trackPage.follow.email')}</label>
              <input
                ref={input}
                id={id}
                type="email"
                className={classes.field}
                value={email}
                maxLength={320}
                autoComplete="email"
                aria-invalid={problem !== null}
                aria-describedby={problem === null ? undefined : `${id}e`}
                onChange={(event) => setEmail(event.target.value)}
              />
            </div>
            <button type="submit" className={track.submit} aria-busy={busy} disabled={busy}>
              {t(busy ? 'trackPage.follow.busy' : 'trackPage.follow.submit')}
            </button>
          </FieldRow>
          {problem !== null && (
            <Notice tone="danger" role="alert" id={`${id}e`}>
              {problem}
            </Notice>
          )}
        </form>
      )}
      {!isOver && <BrowserFollow key={parcel.trackingNumber} number={parcel.trackingNumber} />}
    </Section>
  )
}
