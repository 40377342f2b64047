import type { FailedAttempt } from '@waybill/contract/parcels/failed-delivery'
import { useLongDay } from '../../../components/display/line-breaks.ts'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChoiceMaker } from '../failed-delivery/choice-maker.ts'
import classes from '../scanning/scan.module.css'

/** Which attempt failed, when and why. */
export function FailedAttemptReason({ failure }: { failure: FailedAttempt }) {
  const t = useT()
  const format = useFormat()
  const { attempt, attemptsAllowed } = failure
  return (
    <>
      <span>{t('failedDelivery.attempt', { attempt, allowed: attemptsAllowed, at: format.dateTime(failure.at) })}</span>
      <Quiet>
        {[failure.reason && t(`failureReason.${failure.reason}`), failure.note].filter(Boolean).join(' · ')}
      </Quiet>
      {failure.attemptsUsed && (
        <span>
          <StatusPill look={{ tone: 'warning', icon: 'alert' }} label={t('failedDelivery.attemptsUsed')} />
        </span>
      )}
    </>
  )
}

/**
 * The decision of sender or receiver, or its deadline. Empty: nobody decided, and the delivery was attempted again.
 */
export function FailedAttemptChoice({ failure }: { failure: FailedAttempt }) {
  const t = useT()
  const choiceMaker = useChoiceMaker()
  const format = useFormat()
  const longDay = useLongDay()
  const { chosen: decision, decideUntil, goingBack, attemptsUsed } = failure
  if (decision) {
    const date = decision.date ? longDay(decision.date) : ''
    return (
      <>
        <strong>{t(`deliveryChoice.chosen.${decision.kind}`, { date, station: decision.station ?? '' })}</strong>
        <Quiet>{choiceMaker(decision)}</Quiet>
      </>
    )
  }
  if (decideUntil) {
    return (
      <>
        <strong>{t('failedDelivery.noAnswer')}</strong>
        <Quiet>{t('deliveryChoice.until', { at: format.dateTime(decideUntil) })}</Quiet>
      </>
    )
  }
  if (!goingBack) return null
  return <span>{t(attemptsUsed ? 'failedDelivery.toCounter' : 'failedDelivery.goingBack')}</span>
}

/** The latest failed attempt and its consequence. */
export function FailedAttemptNote({ failure }: { failure: FailedAttempt }) {
  return (
    <div className={classes.failure}>
      <FailedAttemptReason failure={failure} />
      <FailedAttemptChoice failure={failure} />
    </div>
  )
}
