import { Button } from '@mantine/core'
import type { AccountDetail } from '@waybill/contract/accounts/directory'
import { getAccountTerms } from '@waybill/contract/payments/account-overview'
import { useState } from 'react'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { Buttons, Panel } from '../../../components/layout/boxes.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { TermsDialog } from '../shared/terms-dialog.tsx'
import { TermsFacts } from '../shared/terms-facts.tsx'

/** Rate card, discount and credit terms of an account. */
export function TermsPanel({ account }: { account: AccountDetail }) {
  const t = useT()
  const terms = useCall(getAccountTerms, { params: { id: account.id } })
  const [open, setOpen] = useState(false)
  const { data } = terms
  const editable = data && (data.pricing.editable || data.credit?.editable)
  return (
    <Panel title={t('terms.panel')}>
      {data ? (
        <TermsFacts terms={data} />
      ) : terms.error ? (
        <ErrorPanel error={terms.error} retry={() => void terms.refetch()} />
      ) : (
        <Loading />
      )}
      {editable && (
        <Buttons>
          <Button size="sm" onClick={() => setOpen(true)}>
            {t('terms.change')}
          </Button>
        </Buttons>
      )}
      {open && <TermsDialog id={account.id} name={account.name} onClose={() => setOpen(false)} />}
    </Panel>
  )
}
