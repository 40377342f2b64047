import { Button } from '@mantine/core'
import type { printHandIn, printOwnHandIn } from '@waybill/contract/payments/cash-desk'
import { useAction } from '../../../components/action.ts'
import { openDocument } from '../../../lib/download.ts'
import { useT } from '../../../lib/i18n.ts'

type Props = { id: string; name: string; print: typeof printHandIn | typeof printOwnHandIn }

/** The receipt of a hand-in, with both names. */
export function HandInReceipt({ id, name, print }: Props) {
  const t = useT()
  const open = useAction(() => openDocument(print, { params: { id } }))
  return (
    <Button
      size="sm"
      variant="subtle"
      loading={open.running}
      aria-label={t('cashPage.handInReceipt', { name })}
      onClick={() => void open.run()}
    >
      {t('receiptDoc.title')}
    </Button>
  )
}
