import { Button, Checkbox } from '@mantine/core'
import { getBilling, getConsent, putConsent } from '@waybill/contract/orders/monthly-billing'
import { useState } from 'react'
import { useSend } from '../../../components/feedback/use-send.ts'
import { notify } from '../../../components/notify.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall, useChanged } from '../../../lib/query.ts'
import classes from './billing.module.css'

/** The credit terms: read, then accepted by the owner; who did so and when stays written. */
export function ConsentCard() {
  const t = useT()
  const format = useFormat()
  const changed = useChanged()
  const consent = useCall(getConsent, {})
  const [read, setRead] = useState(false)
  const accept = useSend(async () => {
    await call(putConsent, { body: { version: consent.data?.version ?? '', accept: true } })
    await changed(getConsent, getBilling)
    notify.success(t('billing.accepted'))
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
