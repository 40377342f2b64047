import { Button } from '@mantine/core'
import { exportCodPayouts, listCodPayouts } from '@waybill/contract/payments/cod'
import { useState } from 'react'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { Heading, Row } from '../../../components/layout/boxes.tsx'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import type { PrintPayout } from './payout-documents.tsx'
import { PayoutTable } from './payout-table.tsx'

const few = 5
const most = 200

/** The newest payouts, which the page shows first. */
export const useNewestPayouts = () => useCall(listCodPayouts, { query: { limit: few } })

/** The account's payouts. Hidden before the first one. */
export function OwnPayouts({ print }: { print: PrintPayout }) {
  const t = useT()
  const [limit, setLimit] = useState(few)
  const payouts = useCall(listCodPayouts, { query: { limit } }, { keepPrevious: true })
  if (payouts.error) return <ErrorPanel error={payouts.error} retry={() => void payouts.refetch()} />
  const rows = payouts.data?.items ?? []
  if (rows.length === 0) return null
  return (
    <>
      <Row justify="between" align="end" style={{ marginBlockEnd: 8 }}>
        <Heading>{t('cod.payouts')}</Heading>
        <DownloadExcel endpoint={exportCodPayouts} narrowing={{}} />
      </Row>
      <PayoutTable rows={rows} print={print} everySender={false} />
      {(payouts.data?.total ?? 0) > rows.length && limit < most && (
        <Button size="sm" variant="subtle" onClick={() => setLimit(most)}>
          {t('cod.allPayouts')}
        </Button>
      )}
    </>
  )
}
