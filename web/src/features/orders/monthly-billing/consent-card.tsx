import { Button, Checkbox } from '@mantine/core'
import { getBilling, getConsent, putConsent } from '@waybill/contract/orders/monthly-billing'
import { useState } from 'react'
import { useSend } from '../../../components/feedback/use-send.ts'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import classes from './billing.module.css'

/** The credit terms, which the owner accepts after reading. The card then shows who accepted them and when. */
export function ConsentCard() {
  const t = useT()
  const format = useFormat()
  const consent = useCall(getConsent, {})
  const [read, setRead] = useState(false)
  const accept = useSend(() => call(putConsent, { body: { version: consent.data?.version ?? '', accept: true } }), {
    refresh: [getConsent, getBilling],
    success: t('billing.accepted'),
  })
  if (!consent.data) return null
  const { version, accepted } = consent.data
  const done = accepted?.version === version
  return (
    <section className={classes.card} aria-label={t('billing.terms')}>
      <h2 className={classes.cardTitle}>{t('billing.terms')}</h2>
      <details className={classes.terms} open={!done}>
        <summary>{t('billing.readTerms', { version })}</summary>
        <p>{t('billing.termsText')}</p>
      </details>
      {accepted && (
        <p className={classes.quiet}>
          {t(done ? 'billing.acceptedBy' : 'billing.acceptedOlder', {
            name: accepted.by ?? '–',
            time: format.dateTime(accepted.at),
            version: accepted.version,
          })}
        </p>
      )}
      {!done && (
        <>
          <Checkbox
            label={t('billing.iAccept')}
            checked={read}
            onChange={(event) => setRead(event.currentTarget.checked)}
          />
          <div className={classes.buttons}>
            <Button variant="filled" disabled={!read} loading={accept.pending} onClick={() => void accept.send()}>
              {t('billing.accept')}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}
