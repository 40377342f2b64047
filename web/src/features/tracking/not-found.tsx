import { IconAlertCircle } from '@tabler/icons-react'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { TrackingAnswer } from '@waybill/contract/tracking/tracking'
import { useT } from '../../lib/i18n.ts'
import classes from './track.module.css'

type Missing = TrackingAnswer['notFound'][number]

/** A number that was not found, or can't be right, and what to do about it. */
export function NotFound({
  missing,
  onInstead,
}: {
  missing: Missing
  onInstead: (wrong: string, right: string) => void
}) {
  const t = useT()
  const { number, suggestion, link } = missing
  return (
    <section className={classes.missing}>
      <IconAlertCircle size={20} aria-hidden className={classes.missingIcon} />
      <div>
        <h2 className={classes.missingNumber}>{groupTrackingNumber(number)}</h2>
        <p>{missing.message}</p>
        {link && (
          <a className={classes.plainStrong} href={link} rel="noreferrer" target="_blank">
            {t('trackPage.postal')}
          </a>
        )}
        {suggestion && (
          <button type="button" className={classes.plainStrong} onClick={() => onInstead(number, suggestion)}>
            {t('trackPage.instead', { number: groupTrackingNumber(suggestion) })}
          </button>
        )}
      </div>
    </section>
  )
}
