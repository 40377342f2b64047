import { Button } from '@mantine/core'
import type { printHandIn, printOwnHandIn } from '@waybill/contract/payments/cash-hand-ins'
import { useSend } from '../../../components/feedback/use-send.ts'
import { openDocument } from '../../../lib/download.ts'
import { useT } from '../../../lib/i18n.ts'

type Props = { id: string; name: string; print: typeof printHandIn | typeof printOwnHandIn }

/** The receipt of a hand-in, with both names. */
export function HandInReceipt({ id, name, print }: Props) {
  const t = useT()
  const open = useSend(() => openDocument(print, { params: { id } }))
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      loading={open.pending}
      aria-label={t('cashPage.handInReceipt', { name })}
      onClick={() => void open.send()}
    >
      {t('receiptDoc.title')}
    </Button>
  )
}
